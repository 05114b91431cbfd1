import { useEffect, useState } from 'react';

/**
 * A switch shows what the person asked for at once, and the host's own value as soon as that is known: when it agrees, or when the act failed.
 * Nothing is held back by it: the host decides, this only spares the eye a step back.
 */
export const useWanted = (actual: boolean): readonly [shown: boolean, want: (value: boolean, done: Promise<boolean>) => void] => {
  const [wanted, setWanted] = useState<boolean | null>(null);
  useEffect(() => {
    if (wanted === null) return undefined;
    if (wanted === actual) {
      setWanted(null);
      return undefined;
    }
    const timer = setTimeout(() => setWanted(null), 3000);
    return () => clearTimeout(timer);
  }, [wanted, actual]);
  const want = (value: boolean, done: Promise<boolean>): void => {
    setWanted(value);
    void done.then((succeeded) => {
      if (!succeeded) setWanted(null);
    });
  };
  return [wanted ?? actual, want];
};
