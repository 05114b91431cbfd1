import { useEffect, useState } from 'react';

/** After the host said that it is done, its own value may take so long to arrive. */
const ARRIVES_MS = 3000;

/** Its value is the wanted one and stayed so: until then it may be what an earlier click brought, with others of those still on their way. */
const STAYS_MS = 1500;

/**
 * A switch shows what the person asked for last, from the click until the host has done it and its own value is here, or until that act failed. What earlier
 * clicks bring on the way moves it no more. Nothing is held back by it: the host decides, this only spares the eye a step back.
 */
export const useWanted = (actual: boolean): readonly [shown: boolean, want: (value: boolean, done: Promise<boolean>) => void] => {
  const [wanted, setWanted] = useState<{ readonly value: boolean; readonly done: boolean } | null>(null);
  useEffect(() => {
    if (wanted === null || !wanted.done) return undefined;
    // a click may have come since: it stands
    const settle = (): void => setWanted((now) => (now === wanted ? null : now));
    const timer = setTimeout(settle, wanted.value === actual ? STAYS_MS : ARRIVES_MS);
    return () => clearTimeout(timer);
  }, [wanted, actual]);
  const want = (value: boolean, done: Promise<boolean>): void => {
    const mine = { value, done: false };
    setWanted(mine);
    void done.then((succeeded) => setWanted((now) => (now !== mine ? now : succeeded ? { value, done: true } : null)));
  };
  return [wanted?.value ?? actual, want];
};
