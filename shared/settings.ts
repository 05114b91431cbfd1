import { z } from 'zod';
import { DEFAULT_CALL_LIMITS } from './call-class.ts';
import { CallLimitsSchema } from './call-class-schema.ts';
import { NpmScopeSchema, ProxyModeSchema } from './network.ts';
import { NoticeSchema } from './notice.ts';
import { DEFAULT_SAMPLING_LIMITS } from './sampling-limits.ts';
import { SamplingLimitsSchema } from './sampling-limits-schema.ts';

export const SettingsSchema = z.object({
  language: z.enum(['system', 'en', 'zh']),
  theme: z.enum(['system', 'light', 'dark']),
  approvalExpiryMinutes: z.number().int().min(1).max(1440),
  /** deadlines, further tries and poll distance of each class of calls */
  callLimits: CallLimitsSchema,
  /** what a server may take of the person's models, each request agreed to */
  samplingLimits: SamplingLimitsSchema,
  onboardingDone: z.boolean(),
  /** closing the window leaves Gantry running in the tray */
  closeToTray: z.boolean(),
  /** that was explained once */
  closeToTrayExplained: z.boolean(),
  /** a notification of the system for an approval, while the window is not looked at */
  notifyApprovals: z.boolean(),
  /** contacts the update feed at the start and once a day */
  checkForUpdates: z.boolean(),
  /** ended runs that are older are deleted once a day; 0 keeps everything */
  keepHistoryDays: z.number().int().min(0).max(36_500),
  /** what each list was narrowed by last, as it stands in an address */
  marketFilters: z.string().max(2000),
  serversFilters: z.string().max(2000),
  capabilitiesFilters: z.string().max(2000),
  runsFilters: z.string().max(2000),
  /** keys without Ctrl or Cmd act (g m, /, j, ?) */
  letterKeys: z.boolean(),
  /** what was chosen last in the search over everything, newest first: what it was, and the name it had then */
  recentChoices: z.array(z.object({ id: z.string().max(2300), label: z.string().max(200) })).max(8),
  /** the address of the page that was shown last, from its `#`; empty before the first */
  lastPlace: z.string().max(4000),
  /** `system`: as the environment says; `manual`: proxyAddress */
  proxyMode: ProxyModeSchema,
  proxyAddress: z.string().max(300),
  /** hosts that the manual proxy is not used for, as in NO_PROXY */
  proxyBypass: z.string().max(4000),
  proxyUser: z.string().max(200),
  /** servers get the proxy, its name and password included, in their environment */
  proxyForApps: z.boolean(),
  /** servers get the company's certificate by NODE_EXTRA_CA_CERTS */
  certificateForApps: z.boolean(),
  /** instead of the registry of npm's configuration; empty: that one */
  npmRegistry: z.string().max(500),
  npmScopes: z.array(NpmScopeSchema).max(50),
  /** the https address of a client metadata document for Gantry (OAuth), which login servers read instead of registering it; empty: none is published */
  clientDocument: z.string().max(500),
  /** tools of servers that one request to a model carries at most; null: as many as its route takes */
  toolsPerRequest: z.number().int().min(1).max(1000).nullable(),
  /** tokens of definitions of tools in one request, estimated; null: as its route has it */
  toolTokensPerRequest: z.number().int().min(500).max(500_000).nullable(),
  /** ids of tools that come first where a request does not carry every candidate; they gain no right by it */
  pinnedTools: z.array(z.string().min(1).max(2048)).max(100),
});
export type Settings = z.infer<typeof SettingsSchema>;
export const DEFAULT_SETTINGS: Settings = {
  language: 'system',
  theme: 'system',
  approvalExpiryMinutes: 5,
  callLimits: DEFAULT_CALL_LIMITS,
  samplingLimits: DEFAULT_SAMPLING_LIMITS,
  onboardingDone: false,
  closeToTray: false,
  closeToTrayExplained: false,
  notifyApprovals: true,
  checkForUpdates: false, keepHistoryDays: 0,
  marketFilters: '',
  serversFilters: '',
  capabilitiesFilters: '',
  runsFilters: '',
  letterKeys: true,
  recentChoices: [],
  lastPlace: '',
  proxyMode: 'system',
  proxyAddress: '',
  proxyBypass: '',
  proxyUser: '',
  proxyForApps: false,
  certificateForApps: false,
  npmRegistry: '',
  npmScopes: [],
  clientDocument: '',
  toolsPerRequest: null,
  toolTokensPerRequest: null,
  pinnedTools: [],
};

/** Lists that remember what they were narrowed by; the setting of each is its name and `Filters`. */
export const FILTERED_LISTS = ['market', 'servers', 'capabilities', 'runs'] as const;
export type FilteredList = (typeof FILTERED_LISTS)[number];

/** `asking`: a key store of the system has not answered yet; what it answers decides. */
export const SecretStoreStatusSchema = z.object({
  provider: z.enum(['safeStorage', 'keychain', 'passphrase', 'none']),
  state: z.enum(['ready', 'asking', 'locked', 'not_set_up', 'unavailable']),
  available: z.array(z.enum(['safeStorage', 'keychain', 'passphrase'])),
  count: z.number(),
});
export type SecretStoreStatus = z.infer<typeof SecretStoreStatusSchema>;

export const HealthStatusSchema = z.object({
  ready: z.boolean(),
  /** words for the bottom edge */
  servers: z.object({ total: z.number(), ready: z.number(), unavailable: z.number(), starting: z.number() }),
  awaitingApprovals: z.number(),
  /** what servers ask in the middle of calls, and nobody has answered */
  awaitingQuestions: z.number().default(0),
  needsReview: z.number(),
  stopped: z.boolean(),
  runningCalls: z.number(),
  store: z.object({ state: z.enum(['ok', 'read_only', 'write_failed']), detail: z.string().optional() }),
  secrets: SecretStoreStatusSchema,
  required: z.array(z.object({ serverId: z.string(), state: z.string(), code: z.string().optional() })),
  serversDetail: z.array(z.object({ serverId: z.string(), required: z.boolean(), state: z.string(), code: z.string().optional(), circuit: z.enum(['open', 'half_open']).optional() })),
  /** what the host met and survived, for the person to know */
  notices: z.array(NoticeSchema).default([]),
  startedAt: z.number(),
  versions: z.record(z.string(), z.string()),
  shell: z.enum(['electron', 'loopback', 'command', 'test']),
  dataDir: z.string(),
});
export type HealthStatus = z.infer<typeof HealthStatusSchema>;
