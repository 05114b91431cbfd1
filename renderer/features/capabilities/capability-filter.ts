import type { CapabilityRow } from '../../../shared/capability.ts';
import { CAPABILITY_STANDINGS, type CapabilityStanding } from '../../../shared/capability-standings.ts';
import type { InputOf } from '../../../shared/contract/contract.ts';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import { TIERS, type Tier } from '../../../shared/tier.ts';
import type { FilterWords } from '../../stores/list-filters.ts';

export interface CapabilityFilter {
  readonly words: string;
  readonly serverId: string | null;
  readonly tier: Tier | null;
  readonly standing: CapabilityStanding | null;
}

export const NO_FILTER: CapabilityFilter = { words: '', serverId: null, tier: null, standing: null };

const LONGEST_WORDS = 200;

/** In an address, `q=read&server=files&tier=read_only&standing=allowed`. */
export const CAPABILITY_FILTER: FilterWords<CapabilityFilter> = {
  read: (text) => {
    const fields = new URLSearchParams(text);
    return {
      words: (fields.get('q') ?? '').slice(0, LONGEST_WORDS),
      serverId: fields.get('server') || null,
      tier: TIERS.find((one) => one === fields.get('tier')) ?? null,
      standing: CAPABILITY_STANDINGS.find((one) => one === fields.get('standing')) ?? null,
    };
  },
  write: ({ words, serverId, tier, standing }) => {
    const fields = new URLSearchParams();
    if (words !== '') fields.set('q', words.slice(0, LONGEST_WORDS).toWellFormed());
    if (serverId !== null) fields.set('server', serverId);
    if (tier !== null) fields.set('tier', tier);
    if (standing !== null) fields.set('standing', standing);
    return fields.toString();
  },
};

export const isAllowed = (capability: Pick<CapabilityRow, 'grantedTo'>): boolean => capability.grantedTo.includes(BUILT_IN_AGENT);

/** Only what was admitted can be given to the agent; the rest waits for a review or cannot be used at all. */
export const mayBeAllowed = (capability: Pick<CapabilityRow, 'admitted' | 'schemaState' | 'kind'>): boolean => capability.admitted && capability.schemaState !== 'excluded' && capability.kind === 'tool';

/** As the host is asked. */
export const capabilityQuery = ({ words, serverId, tier, standing }: CapabilityFilter): Pick<InputOf<'capabilities:rows'>, 'words' | 'serverId' | 'tier' | 'standing'> => ({
  ...(words.trim() === '' ? {} : { words: words.trim() }),
  ...(serverId === null ? {} : { serverId }),
  ...(tier === null ? {} : { tier }),
  ...(standing === null ? {} : { standing }),
});
