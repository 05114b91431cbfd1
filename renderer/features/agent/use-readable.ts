import { useDeferredValue } from 'react';
import type { OutputOf } from '../../../shared/contract/contract.ts';
import { useCapabilities } from '../../stores/capabilities.ts';
import type { Mirror } from '../../stores/mirror.ts';
import { useLastReady } from '../../stores/use-last-ready.ts';
import { useRequest } from '../../stores/use-request.ts';

/** As many as a person reads through; the words narrow the rest. */
const MOST_SHOWN = 50;

/** Resources and templates, by words: the person reads what goes along, whatever a principal may read by itself (the row says that). While another answer is on its way the last one stays. `answered`: what is there belongs to these words. */
export const useReadable = (principal: string, words: string): { readonly state: Mirror<OutputOf<'capabilities:rows'>>; readonly answered: boolean; readonly reload: () => void } => {
  const revision = useCapabilities((s) => s.revision);
  const asked = useDeferredValue(words.trim());
  const { state, reload } = useRequest('capabilities:rows', { kind: 'resource', principal, order: 'name', limit: MOST_SHOWN, ...(asked === '' ? {} : { words: asked.slice(0, 500).toWellFormed() }) }, revision);
  const shown = useLastReady(state);
  return { state: shown, answered: state.phase !== 'loading' && asked === words.trim(), reload };
};
