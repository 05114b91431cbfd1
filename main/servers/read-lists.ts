import { authFaultOf } from './auth/auth-fault.ts';
import type { Definition } from '../../shared/capability.ts';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { DiscoveryFact, DiscoveryReading } from '../../shared/server.ts';
import { mirroredArguments, type MirroredArgument } from './argument-headers.ts';
import type { DiscoveredLists } from './discovered-lists.ts';
import { httpStatusOf, mayPass, networkCauseOf } from './connect-fault.ts';
import { maskFault } from './mask-fault.ts';
import { maskDefinition } from './mask-offer.ts';
import { parseDefinition } from './parse-definition.ts';
import { rawRequest, type Session } from './session.ts';
import { plainWords } from './spoken-error.ts';
import { taskSupportOf, type TaskSupport } from './task-call.ts';

const PAGE_CAP = 64;
export const ITEM_CAP = 10_000;
const LIST_TIMEOUT_MS = 60_000;
/** All pages of one list, in units of the time that one may take. */
const WHOLE_LIST_TIMES = 2;
/** Bytes of all lists of one reading. */
const READING_CAP_BYTES = 64 * 1024 * 1024;

interface Reading {
  readonly reading: DiscoveryReading;
  readonly definitions: readonly { readonly kind: CapabilityKind; readonly definition: Definition }[];
  readonly ttlMs?: number | undefined;
}

interface Limits {
  /** for one page */
  readonly timeoutMs: number;
  readonly mask: (text: string) => string;
  /** true when the answers of this reading are as large as all may be together */
  readonly isFull: () => boolean;
}

interface List {
  readonly method: string;
  readonly field: string;
  readonly kind: CapabilityKind;
  readonly capability: string;
}
const LISTS = {
  tools: { method: 'tools/list', field: 'tools', kind: 'tool', capability: 'tools' },
  resources: { method: 'resources/list', field: 'resources', kind: 'resource', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', field: 'resourceTemplates', kind: 'resource', capability: 'resources' },
  prompts: { method: 'prompts/list', field: 'prompts', kind: 'prompt', capability: 'prompts' },
} as const satisfies Record<string, List>;

const METHOD_NOT_FOUND = -32601;

const failure = (error: unknown, list: List, own: Fault | null, mask: (text: string) => string): DiscoveryReading => {
  const unauthorized = authFaultOf(error);
  if (unauthorized !== null) return { outcome: 'failed', fault: maskFault({ ...unauthorized, details: { ...unauthorized.details, method: list.method } }, mask) };
  if (own !== null) {
    const about = { ...(own.remedy === undefined ? {} : { remedy: own.remedy }), details: { ...own.details, method: list.method, cause: own.code } };
    return { outcome: 'failed', fault: maskFault(fault('discovery_failed', `${list.method} failed: ${own.message}`, about), mask) };
  }
  const code = (error as { code?: unknown }).code;
  if (code === METHOD_NOT_FOUND) return { outcome: 'not_offered' };
  const words = plainWords(error);
  const timedOut = code === 'REQUEST_TIMEOUT' || /timed out/i.test(words);
  const broken = networkCauseOf(error) !== null || code === 'CONNECTION_CLOSED';
  const status = httpStatusOf(error);
  const kind = timedOut ? 'timeout' : status === 401 || status === 403 ? 'auth_required' : status !== null && mayPass(status) ? 'endpoint_error' : broken ? 'connection_failed' : 'discovery_failed';
  return { outcome: 'failed', fault: maskFault(fault(kind, `${list.method} failed: ${words}`, { details: { method: list.method, ...(typeof code === 'number' ? { rpcCode: code } : {}) } }), mask) };
};

/** A definition as it is kept; one that a Streamable HTTP client of the newer era has to leave out is refused with the reason (2026-07-28, custom headers). */
const kept = (session: Session, definition: Definition, mirrored: Map<string, readonly MirroredArgument[]>): Result<Definition, string> => {
  if (session.era !== 'modern' || session.kind !== 'streamable-http') return ok(definition);
  const found = mirroredArguments(definition.inputSchema);
  if (!found.ok) return err(`${definition.name}: ${found.error}`);
  if (found.value.length > 0) mirrored.set(definition.name, found.value);
  return ok(definition);
};

/** All pages of one list. A repeated cursor, and the caps of pages, items, bytes and time end it as partial (F20); "" is a cursor like any other. */
const readList = async (session: Session, list: List, { timeoutMs, mask, isFull }: Limits): Promise<Reading> => {
  if (session.capabilities[list.capability] === undefined) return { reading: { outcome: 'not_offered' }, definitions: [] };
  const definitions: { kind: CapabilityKind; definition: Definition }[] = [];
  const malformed: { index: number; reason: string }[] = [];
  const cursors = new Set<string>();
  const mirrored = new Map<string, readonly MirroredArgument[]>();
  const taskTools = new Map<string, TaskSupport>();
  const endsAt = performance.now() + WHOLE_LIST_TIMES * timeoutMs;
  let index = 0;
  let cursor: string | undefined;
  let partial = false;
  let ttlMs: number | undefined;
  for (let page = 1; ; page++) {
    let result: unknown;
    try {
      result = await rawRequest(session.client, list.method, cursor === undefined ? undefined : { cursor }, { timeout: timeoutMs });
    } catch (error) {
      const own = session.ledger.faultOf(error);
      if (page === 1) return { reading: failure(error, list, own, mask), definitions: [] };
      partial = true;
      break;
    }
    const items = (result as Record<string, unknown>)[list.field];
    if (!Array.isArray(items)) {
      if (page === 1) return { reading: { outcome: 'failed', fault: fault('discovery_failed', `${list.method} was answered without a list of ${list.field}.`) }, definitions: [] };
      partial = true;
      break;
    }
    const { ttlMs: told } = result as { ttlMs?: unknown };
    if (typeof told === 'number' && told >= 0) ttlMs = Math.min(ttlMs ?? told, told);
    for (const item of items) {
      if (index >= ITEM_CAP) {
        partial = true;
        break;
      }
      const read = parseDefinition(list.kind, item);
      const masked = read.ok ? maskDefinition(read.value, mask) : read;
      const parsed = masked.ok && list.kind === 'tool' ? kept(session, masked.value, mirrored) : masked;
      const support = list.kind === 'tool' ? taskSupportOf(item) : null;
      if (parsed.ok && support !== null) taskTools.set(parsed.value.name, support);
      if (parsed.ok) definitions.push({ kind: list.kind, definition: parsed.value });
      else if (malformed.length < 100) malformed.push({ index, reason: parsed.error });
      index++;
    }
    const next = (result as { nextCursor?: unknown }).nextCursor;
    if (typeof next !== 'string') break;
    if (cursors.has(next) || page >= PAGE_CAP || index >= ITEM_CAP || isFull() || performance.now() >= endsAt) {
      partial = true;
      break;
    }
    cursors.add(next);
    cursor = next;
  }
  if (list.kind === 'tool') {
    session.mirrored.clear();
    for (const [name, found] of mirrored) session.mirrored.set(name, found);
    session.taskTools.clear();
    for (const [name, found] of taskTools) session.taskTools.set(name, found);
  }
  return { reading: { outcome: 'read', count: definitions.length, partial, malformed }, definitions, ttlMs };
};

/** One reading of everything a server offers. The lists are independent: one that fails says so and loses no other. */
export const readLists = async (session: Session, about: { readonly serverId: string; readonly launchFingerprint: string; readonly at: number; readonly timeoutMs?: number; readonly mask: (text: string) => string }): Promise<DiscoveredLists> => {
  const before = session.ledger.listBytes;
  const limits: Limits = { timeoutMs: about.timeoutMs ?? LIST_TIMEOUT_MS, mask: about.mask, isFull: () => session.ledger.listBytes - before >= READING_CAP_BYTES };
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    readList(session, LISTS.tools, limits),
    readList(session, LISTS.resources, limits),
    readList(session, LISTS.resourceTemplates, limits),
    readList(session, LISTS.prompts, limits),
  ]);
  const fact: DiscoveryFact = {
    at: about.at,
    launchFingerprint: about.launchFingerprint,
    tools: tools.reading,
    resources: resources.reading,
    resourceTemplates: resourceTemplates.reading,
    prompts: prompts.reading,
  };
  return {
    serverId: about.serverId,
    at: about.at,
    launchFingerprint: about.launchFingerprint,
    ...(session.instructions === undefined ? {} : { instructions: session.instructions }),
    serverInfo: session.serverInfo,
    fact,
    ...(tools.ttlMs === undefined ? {} : { toolsTtlMs: tools.ttlMs }),
    definitions: [...tools.definitions, ...resources.definitions, ...resourceTemplates.definitions, ...prompts.definitions],
  };
};

const PASSING: ReadonlySet<string> = new Set(['timeout', 'connection_failed', 'endpoint_error']);

/** Kinds TIMEOUT and CONNECTION_FAILED alone are worth another try (design section 4): the code of the first such failure, else null. */
export const passingCode = (fact: DiscoveryFact): 'timeout' | 'connection_failed' | 'endpoint_error' | null => {
  for (const reading of [fact.tools, fact.resources, fact.resourceTemplates, fact.prompts]) {
    if (reading.outcome === 'failed' && PASSING.has(reading.fault.code)) return reading.fault.code as ReturnType<typeof passingCode>;
  }
  return null;
};

const WANTS_A_PERSON: ReadonlySet<string> = new Set(['sign_in_required', 'scope_missing', 'sign_in_unsafe']);

/** Tells what is missing where the list of tools was refused for want of a sign-in or a right. */
export const unauthorizedReading = ({ tools }: DiscoveryFact, missing: (why: Fault) => void): void => {
  if (tools.outcome === 'failed' && WANTS_A_PERSON.has(tools.fault.code)) missing(tools.fault as Fault);
};
