import type { InputOf, OutputOf } from '../../shared/contract/contract.ts';
import type { CapabilityRow } from '../../shared/capability.ts';
import { ok } from '../../shared/result.ts';
import { bridge } from '../bridge/bridge.ts';
import { useCapabilities } from './capabilities.ts';
import { usePages, type Pages } from './use-pages.ts';

/** What the host says of the list besides its rows: see CapabilityPageSchema. */
export type CapabilityFigures = Omit<OutputOf<'capabilities:rows'>, 'rows' | 'total'>;

/** Capabilities that fit, a page at a time; what is in sight is asked for again when the host says that some changed. Null asks nothing. */
export const useCapabilityPages = (query: InputOf<'capabilities:rows'> | null): Pages<CapabilityRow, CapabilityFigures> => {
  const revision = useCapabilities((state) => state.revision);
  return usePages<CapabilityRow, CapabilityFigures>(
    query === null ? null : JSON.stringify(query),
    async (offset, limit) => {
      const answer = await bridge.request('capabilities:rows', { ...query, offset, limit });
      if (!answer.ok) return answer;
      const { rows, total, ...extra } = answer.value;
      return ok({ rows, total, extra });
    },
    { version: revision },
  );
};
