import { m001Initial } from './m001-initial.ts';
import { m002Models } from './m002-models.ts';
import { m003ServerIcons } from './m003-server-icons.ts';
import { m004ChainTrigger } from './m004-chain-trigger.ts';
import { m005EventKeys } from './m005-event-keys.ts';
import { m006ResultPreviews } from './m006-result-previews.ts';
import { m007Placeholders } from './m007-placeholders.ts';
import { m008RunVia } from './m008-run-via.ts';
import { m009CallIndexes } from './m009-call-indexes.ts';
import { m010DeletedRuns } from './m010-deleted-runs.ts';
import { m011InstalledFrom } from './m011-installed-from.ts';
import { m012Steps } from './m012-steps.ts';
import { m013ModelRoutes } from './m013-model-routes.ts';
import { m014ErrorWords } from './m014-error-words.ts';
import { m015ReviewTiming } from './m015-review-timing.ts';
import { m016SignIns } from './m016-sign-ins.ts';
import { m017Agent } from './m017-agent.ts';
import { m018AddressAgreements } from './m018-address-agreements.ts';
import { m019ServerRoots } from './m019-server-roots.ts';
import { m020Tasks } from './m020-tasks.ts';
import { m021SamplingUses } from './m021-sampling-uses.ts';
import { m022ToolChoices } from './m022-tool-choices.ts';
import { m023Embeddings } from './m023-embeddings.ts';
import { m024AskedAndContacted } from './m024-asked-and-contacted.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}
/** One ordered list; each runs in its own transaction; never edited after release. */
export const migrations: readonly Migration[] = [m001Initial, m002Models, m003ServerIcons, m004ChainTrigger, m005EventKeys, m006ResultPreviews, m007Placeholders, m008RunVia, m009CallIndexes, m010DeletedRuns, m011InstalledFrom, m012Steps, m013ModelRoutes, m014ErrorWords, m015ReviewTiming, m016SignIns, m017Agent, m018AddressAgreements, m019ServerRoots, m020Tasks, m021SamplingUses, m022ToolChoices, m023Embeddings, m024AskedAndContacted];
