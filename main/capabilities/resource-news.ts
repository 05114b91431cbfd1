import { capabilityId } from '../../shared/capability-id.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';

/** A server may tell of a change as often as it likes; windows and runs hear of it so often, the last one always. */
const TOLD_EVERY_MS = 1_000;

interface News {
  updatedAt: number;
  updates: number;
  timer: NodeJS.Timeout | null;
}

/** When watched resources changed, as their servers told it. Emits `resource:updated`, at most once a second for each. */
export class ResourceNews {
  readonly #deps: { readonly bus: Bus; readonly clock: Clock };
  readonly #news = new Map<string, News>();

  constructor(deps: { readonly bus: Bus; readonly clock: Clock }) {
    this.#deps = deps;
    deps.bus.on('server:removed', ({ serverId }) => {
      for (const [id, { timer }] of this.#news) {
        if (!id.startsWith(`mcp:${serverId}:`)) continue;
        clearTimeout(timer ?? undefined);
        this.#news.delete(id);
      }
    });
  }

  updated(serverId: string, uri: string): void {
    const id = capabilityId(serverId, 'resource', uri);
    const updatedAt = this.#deps.clock.now();
    const known = this.#news.get(id);
    const news = known ?? { updatedAt, updates: 0, timer: null };
    news.updatedAt = updatedAt;
    news.updates += 1;
    if (known === undefined) this.#news.set(id, news);
    if (news.timer !== null) return;
    this.#tell(id, news);
    this.#pause(id, news);
  }

  of(id: string): { readonly updatedAt: number | null; readonly updates: number } {
    const { updatedAt = null, updates = 0 } = this.#news.get(id) ?? {};
    return { updatedAt, updates };
  }

  #pause(id: string, news: News): void {
    const told = news.updates;
    news.timer = setTimeout(() => {
      news.timer = null;
      if (news.updates === told) return;
      this.#tell(id, news);
      this.#pause(id, news);
    }, TOLD_EVERY_MS).unref();
  }

  #tell(id: string, { updatedAt, updates }: News): void {
    this.#deps.bus.emit('resource:updated', { capabilityId: id, updatedAt, updates });
  }
}
