import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Outbound } from '../network/outbound.ts';
import type { Store } from '../store/database.ts';
import { deleteServerIcon, readServerIcon, saveServerIcon } from '../store/server-icons.ts';
import { readServer } from '../store/servers.ts';
import type { IconRefusal } from './icon-refusal.ts';
import { iconSources } from './icon-sources.ts';
import { renderIcon } from './render-icon.ts';

export interface ServerIconsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: Outbound;
  /** another icon, or none any more */
  readonly onChanged: (serverId: string) => void;
}

/** What was fetched is not asked for again before: an icon is no way to count starts. */
const KEPT_MS = 7 * 24 * 3600 * 1000;
const REFUSED_KEPT_MS = 24 * 3600 * 1000;

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** The pictures of servers: fetched by the host once a server is ready, in the background, re-encoded, kept. A window never loads them from elsewhere (M08). */
export class ServerIcons {
  readonly #deps: ServerIconsDeps;
  readonly #running = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(deps: ServerIconsDeps) {
    this.#deps = deps;
  }

  /** Base64 of the PNG, or null. */
  png(serverId: string): string | null {
    const icon = this.#deps.store.read((db) => readServerIcon(db, serverId));
    return icon?.png ? Buffer.from(icon.png).toString('base64') : null;
  }

  /** What a ready server names as its icons. One look at a time for each server. */
  offered(serverId: string, icons: unknown, serverUrl: string | null): void {
    if (this.#closing.signal.aborted || this.#running.has(serverId)) return;
    const work = this.#take(serverId, iconSources(icons), serverUrl)
      .catch((error: unknown) => this.#deps.log.error('an icon could not be taken', { serverId, reason: error instanceof Error ? error.message : String(error) }))
      .finally(() => this.#running.delete(serverId));
    this.#running.set(serverId, work);
  }

  /** Resolves when no look is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
  }

  async #take(serverId: string, sources: readonly string[], serverUrl: string | null): Promise<void> {
    const { store, clock, log, onChanged } = this.#deps;
    if (sources.length === 0) {
      if (store.write((db) => deleteServerIcon(db, serverId))) onChanged(serverId);
      return;
    }
    const sourceSha256 = sha256(JSON.stringify([sources, serverUrl]));
    const before = store.read((db) => readServerIcon(db, serverId));
    if (before?.sourceSha256 === sourceSha256 && clock.now() - before.fetchedAt < (before.png ? KEPT_MS : REFUSED_KEPT_MS)) return;
    const taken = await this.#firstGood(serverId, sources, serverUrl);
    if (this.#closing.signal.aborted) return;
    if (taken.png === null) log.info('the icon of a server is not shown', { serverId, refusal: taken.refusal });
    const row = { sourceSha256, png: taken.png, pngSha256: taken.png ? sha256(taken.png) : null, refusal: taken.refusal, fetchedAt: clock.now() };
    store.write((db) => {
      // it may have been removed meanwhile
      if (readServer(db, serverId)) saveServerIcon(db, serverId, row);
    });
    if (row.pngSha256 !== (before?.pngSha256 ?? null)) onChanged(serverId);
  }

  async #firstGood(serverId: string, sources: readonly string[], serverUrl: string | null): Promise<{ readonly png: Buffer; readonly refusal: null } | { readonly png: null; readonly refusal: IconRefusal }> {
    let refusal: IconRefusal = 'not_fetched';
    for (const src of sources) {
      // its HTTP client is not loaded before a picture is asked for
      const { fetchIcon } = await import('./fetch-icon.ts');
      const fetched = await fetchIcon({ src, serverUrl, outbound: this.#deps.outbound.for(serverId), signal: this.#closing.signal });
      const png = fetched.ok ? await renderIcon(fetched.value) : fetched;
      if (png.ok) return { png: png.value, refusal: null };
      refusal = png.error;
    }
    return { png: null, refusal };
  }
}
