import type { HealthStatus } from '../../shared/settings.ts';
import type { Notice } from '../../shared/notice.ts';
import type { CallLine } from '../calls/run-call.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import type { Bus } from '../bus.ts';
import type { QuestionDesk } from '../questions/question-desk.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { listServers } from '../store/servers.ts';
import { listUnreadableServers } from '../store/unreadable-servers.ts';
import { stateOf, type ServerViewDeps } from './servers/server-view.ts';

export interface HealthDeps extends ServerViewDeps {
  readonly registry: CapabilityRegistry;
  readonly line: CallLine;
  readonly questions: Pick<QuestionDesk, 'waiting'>;
  readonly secrets: Secrets;
  readonly notices: () => readonly Notice[];
  readonly startedAt: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly shell: HealthStatus['shell'];
  readonly dataDir: string;
}

/** The whole truth about all servers; `ready` depends on the required ones only (design section 4). */
export const healthStatus = (deps: HealthDeps): HealthStatus => {
  const rows = deps.store.read(listServers);
  const states = rows.map((row) => ({ row, status: stateOf(row.id, deps) }));
  const unreadable = deps.store.read(listUnreadableServers);
  const brief = [
    ...states.map(({ row, status }) => {
      const circuit = deps.pool.circuit(row.id).state;
      return { serverId: row.id, required: row.required, state: status.state, ...(status.state === 'unavailable' ? { code: status.code } : {}), ...(circuit === 'closed' ? {} : { circuit }) };
    }),
    ...unreadable.map((row) => ({ serverId: row.id, required: row.required, state: 'unavailable' as const, code: 'row_unreadable' })),
  ];
  const required = brief.filter((s) => s.required);
  const store = deps.store.state();
  return {
    ready: store.state === 'ok' && required.every((s) => s.state === 'ready'),
    servers: {
      total: rows.length + unreadable.length,
      ready: states.filter((s) => s.status.state === 'ready').length,
      unavailable: states.filter((s) => s.status.state === 'unavailable').length + unreadable.length,
      starting: states.filter((s) => s.status.state === 'connecting' || s.status.state === 'discovering').length,
    },
    awaitingApprovals: deps.line.approvals.countPending(),
    awaitingQuestions: deps.questions.waiting().length,
    needsReview: deps.registry.countNeedsReview(),
    stopped: deps.line.isStopped(),
    runningCalls: deps.line.runningCount(),
    store: { state: store.state, ...(store.detail === undefined ? {} : { detail: store.detail }) },
    secrets: deps.secrets.status(),
    required: required.map(({ serverId, state, code }) => ({ serverId, state, ...(code === undefined ? {} : { code }) })),
    serversDetail: brief,
    notices: [...deps.notices()],
    startedAt: deps.startedAt,
    versions: { ...deps.versions },
    shell: deps.shell,
    dataDir: deps.dataDir,
  };
};

const SETTLE_MS = 100;

/** Tells the windows at most ten times a second; the last state is always told. */
export class HealthNews {
  readonly #bus: Bus;
  readonly #read: () => HealthStatus;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(bus: Bus, read: () => HealthStatus) {
    this.#bus = bus;
    this.#read = read;
  }

  now(): HealthStatus {
    return this.#read();
  }

  tell(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (!this.#closed) this.#bus.emit('health:changed', this.#read());
    }, SETTLE_MS).unref();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }
}
