import type { CapabilityRow } from '../../../shared/capability.ts';
import { CAPABILITY_KINDS, type CapabilityKind } from '../../../shared/capability-id.ts';
import { CAPABILITY_STANDINGS, type CapabilityStanding } from '../../../shared/capability-standings.ts';
import type { InputOf } from '../../../shared/contract/contract.ts';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import { TIERS, type Tier } from '../../../shared/tier.ts';
import type { FilterWords } from '../../stores/list-filters.ts';

export interface CapabilityFilter {
  readonly words: string;
  readonly serverId: string | null;
  readonly kind: CapabilityKind | null;
  readonly tier: Tier | null;
  readonly standing: CapabilityStanding | null;
}

export const NO_FILTER: CapabilityFilter = { words: '', serverId: null, kind: null, tier: null, standing: null };

const LONGEST_WORDS = 200;

/** In an address, `q=read&server=files&kind=tool&tier=read_only&standing=allowed`. */
export const CAPABILITY_FILTER: FilterWords<CapabilityFilter> = {
  read: (text) => {
    const fields = new URLSearchParams(text);
    return {
      words: (fields.get('q') ?? '').slice(0, LONGEST_WORDS),
      serverId: fields.get('server') || null,
      kind: CAPABILITY_KINDS.find((one) => one === fields.get('kind')) ?? null,
      tier: TIERS.find((one) => one === fields.get('tier')) ?? null,
      standing: CAPABILITY_STANDINGS.find((one) => one === fields.get('standing')) ?? null,
    };
  },
  write: ({ words, serverId, kind, tier, standing }) => {
    const fields = new URLSearchParams();
    if (words !== '') fields.set('q', words.slice(0, LONGEST_WORDS).toWellFormed());
    if (serverId !== null) fields.set('server', serverId);
    if (kind !== null) fields.set('kind', kind);
    if (tier !== null) fields.set('tier', tier);
    if (standing !== null) fields.set('standing', standing);
    return fields.toString();
  },
};

export const isAllowed = (capability: Pick<CapabilityRow, 'grantedTo'>): boolean => capability.grantedTo.includes(BUILT_IN_AGENT);

/** Only what was admitted can be given to the agent; the rest waits for a review or cannot be used at all. A prompt is a person's to start. */
export const mayBeAllowed = (capability: Pick<CapabilityRow, 'admitted' | 'schemaState' | 'kind'>): boolean => capability.admitted && capability.schemaState !== 'excluded' && capability.kind !== 'prompt';

/** As the host is asked. */
export const capabilityQuery = ({ words, serverId, kind, tier, standing }: CapabilityFilter): Pick<InputOf<'capabilities:rows'>, 'words' | 'serverId' | 'kind' | 'tier' | 'standing'> => ({
  ...(words.trim() === '' ? {} : { words: words.trim() }),
  ...(serverId === null ? {} : { serverId }),
  ...(kind === null ? {} : { kind }),
  ...(tier === null ? {} : { tier }),
  ...(standing === null ? {} : { standing }),
});
