import type { Bus } from '../bus.ts';
import type { HostTools } from '../calls/host-tools/host-tools.ts';
import type { CallLine } from '../calls/run-call.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import type { ResourceNews } from '../capabilities/resource-news.ts';
import type { Renderings } from '../capabilities/routes/renderings.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Outbound } from '../network/outbound.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/database.ts';
import type { ExposureWishes } from './exposure.ts';
import type { FoundCapabilities } from './find-capabilities.ts';
import type { SelectionPipeline } from './selection/pipeline.ts';
import type { Freshen } from './unread-servers.ts';

/** What the built-in agent works with. */
export interface AgentDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly registry: CapabilityRegistry;
  readonly renderings: Renderings;
  readonly line: CallLine;
  readonly secrets: Pick<Secrets, 'reveal'>;
  readonly clock: Clock;
  readonly log: Log;
  /** hides known secret values */
  readonly mask: (text: string) => string;
  /** as evidence hides them: known secret values, credentials, what the user lists */
  readonly conceal: (text: string) => string;
  readonly freshen: Freshen;
  /** when watched resources changed */
  readonly news: Pick<ResourceNews, 'of'>;
  readonly outbound: Outbound;
  readonly hostTools: Pick<HostTools, 'candidate' | 'bound'>;
  readonly pipeline: Pick<SelectionPipeline, 'rank'>;
  readonly found: Pick<FoundCapabilities, 'begin' | 'of' | 'forget'>;
  /** what the person set for the tools of every request */
  readonly wishes: () => ExposureWishes;
  /** how the person calls a server */
  readonly serverName: (serverId: string) => string;
  /** the errors of this server are told by their category alone */
  readonly categoryOnly: (serverId: string) => boolean;
  /** words of an error of this server without the values of its own configuration */
  readonly concealSettings: (serverId: string, text: string) => string;
}
