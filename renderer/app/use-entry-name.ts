import { useEffect, useState } from 'react';
import { bridge } from '../bridge/bridge.ts';

/** The name of a market entry; undefined until it is known, and where there is no such entry. */
export const useEntryName = (entryId: string | null): string | undefined => {
  const [known, setKnown] = useState<{ readonly id: string; readonly name: string } | null>(null);
  useEffect(() => {
    if (entryId === null) return undefined;
    let current = true;
    void bridge.request('market:get', { entryId }).then((answer) => {
      if (current && answer.ok) setKnown({ id: entryId, name: answer.value.entry.name });
    });
    return () => {
      current = false;
    };
  }, [entryId]);
  return known !== null && known.id === entryId ? known.name : undefined;
};
