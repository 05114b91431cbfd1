/** Where a window may be. Every page has an address in the URL's fragment, so it can be linked, bookmarked and gone back to. */
export type Route =
  /** `filters`: what the list is narrowed by; absent where the address does not say */
  | { readonly page: 'market'; readonly entryId: string | null; readonly filters?: string }
  | { readonly page: 'add'; readonly from: 'npm' | 'command' | 'http' | 'market'; readonly entryId: string | null }
  | { readonly page: 'import'; readonly text: string | null }
  | { readonly page: 'servers'; readonly filters?: string }
  | { readonly page: 'server'; readonly serverId: string }
  | { readonly page: 'configure'; readonly serverId: string }
  | { readonly page: 'capabilities'; readonly filters?: string }
  | { readonly page: 'capability'; readonly capabilityId: string }
  /** a conversation with the built-in agent; null: a new one */
  | { readonly page: 'agent'; readonly conversationId: string | null }
  /** the guided planner; `filters`: what is asked for */
  | { readonly page: 'planner'; readonly filters?: string }
  | { readonly page: 'approvals'; readonly approvalId: string | null }
  /** what servers asked; with one of them, its dialog */
  | { readonly page: 'questions'; readonly questionId: string | null }
  | { readonly page: 'runs'; readonly filters?: string }
  /** `invocationId`: the call of it that is meant */
  | { readonly page: 'run'; readonly runId: string; readonly invocationId: string | null }
  | { readonly page: 'settings'; readonly section: SettingsSection | null }
  | { readonly page: 'guide' }
  /** a page of the guide, by its file's name; null: its first. `anchor`: a heading of it */
  | { readonly page: 'help'; readonly chapter: string | null; readonly anchor: string | null }
  /** a stranger's link, shown; null: it was too long to be looked at */
  | { readonly page: 'link'; readonly text: string | null }
  | { readonly page: 'unknown'; readonly path: string };

/** Parts of the settings that have an address of their own, in their order on the page. */
export const SETTINGS_SECTIONS = ['general', 'desktop', 'updates', 'models', 'profiles', 'rules', 'calls', 'secrets', 'network', 'data', 'backup', 'history', 'report', 'reset', 'about', 'licences'] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

/** One path segment. A name with lone surrogates has no UTF-8 form: it travels as its UTF-16 units, `~` in front. */
const encode = (text: string): string =>
  text.isWellFormed() ? encodeURIComponent(text).replaceAll('~', '%7E') : `~${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}`;

const decode = (segment: string): string | null => {
  if (segment.startsWith('~')) return String.fromCharCode(...(segment.slice(1).match(/[0-9a-f]{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)));
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

const listAt = (list: string, filters: string | undefined): string => (filters === undefined ? list : `${list}?${filters}`);

export const href = {
  market: (filters?: string): string => listAt('#/market', filters),
  marketEntry: (entryId: string): string => `#/market/${encode(entryId)}`,
  addFromMarket: (entryId: string): string => `#/add/market/${encode(entryId)}`,
  add: (from: 'npm' | 'command' | 'http'): string => `#/add/${from}`,
  import: (): string => '#/import',
  /** opens the import on a text, as a link does: it is read and shown, nothing more */
  importText: (text: string): string => `#/import/${encode(text)}`,
  servers: (filters?: string): string => listAt('#/servers', filters),
  server: (serverId: string): string => `#/servers/${encode(serverId)}`,
  configure: (serverId: string): string => `#/servers/${encode(serverId)}/configure`,
  capabilities: (filters?: string): string => listAt('#/capabilities', filters),
  capability: (capabilityId: string): string => `#/capabilities/${encode(capabilityId)}`,
  agent: (): string => '#/agent',
  conversation: (conversationId: string): string => `#/agent/${encode(conversationId)}`,
  planner: (request?: string): string => `#/agent/plan${request === undefined ? '' : `?${new URLSearchParams({ q: request.toWellFormed() }).toString()}`}`,
  approvals: (): string => '#/approvals',
  approval: (approvalId: string): string => `#/approvals/${encode(approvalId)}`,
  questions: (): string => '#/questions',
  question: (questionId: string): string => `#/questions/${encode(questionId)}`,
  runs: (filters?: string): string => listAt('#/runs', filters),
  run: (runId: string): string => `#/runs/${encode(runId)}`,
  call: (runId: string, invocationId: string): string => `#/runs/${encode(runId)}/${encode(invocationId)}`,
  settings: (section?: SettingsSection): string => (section === undefined ? '#/settings' : `#/settings/${section}`),
  guide: (): string => '#/guide',
  help: (chapter?: string, anchor?: string): string => ['#/help', ...(chapter === undefined ? [] : [encode(chapter)]), ...(chapter === undefined || anchor === undefined ? [] : [encode(anchor)])].join('/'),
  link: (text: string | null): string => (text === null ? '#/link' : `#/link/${encode(text)}`),
} as const;

/** Reads the fragment. An address nobody wrote is `unknown`, shown as such and never guessed at. */
export const parseRoute = (hash: string): Route => {
  const [path = '', filters] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const unknown: Route = { page: 'unknown', path };
  const parts = path.split('/').filter((part) => part !== '').map(decode);
  if (parts.some((part) => part === null)) return unknown;
  const [page = 'market', id = null, sub = null, ...rest] = parts as string[];
  if (rest.length > 0) return unknown;
  if (page === 'add' && (id === 'npm' || id === 'command' || id === 'http') && sub === null) return { page: 'add', from: id, entryId: null };
  if (page === 'add' && id === 'market' && sub !== null) return { page: 'add', from: 'market', entryId: sub };
  if (page === 'servers' && id !== null && sub === 'configure') return { page: 'configure', serverId: id };
  if (page === 'runs' && id !== null && sub !== null) return { page: 'run', runId: id, invocationId: sub };
  if (page === 'help') return { page, chapter: id, anchor: sub };
  if (sub !== null) return unknown;
  if (page === 'import') return { page, text: id };
  const narrowed = id !== null || filters === undefined ? {} : { filters };
  if (page === 'market') return { page, entryId: id, ...narrowed };
  // ids of conversations are made by the host: none is called `plan`
  if (page === 'agent') return id === 'plan' ? { page: 'planner', ...(filters === undefined ? {} : { filters }) } : { page, conversationId: id };
  if (page === 'approvals') return { page, approvalId: id };
  if (page === 'questions') return { page, questionId: id };
  if (page === 'servers') return id === null ? { page, ...narrowed } : { page: 'server', serverId: id };
  if (page === 'capabilities') return id === null ? { page, ...narrowed } : { page: 'capability', capabilityId: id };
  if (page === 'link') return { page, text: id };
  if (page === 'runs') return id === null ? { page, ...narrowed } : { page: 'run', runId: id, invocationId: null };
  if (page === 'settings') {
    const section = SETTINGS_SECTIONS.find((one) => one === id) ?? null;
    return id === section ? { page, section } : unknown;
  }
  if (page === 'guide' && id === null) return { page };
  return unknown;
};
