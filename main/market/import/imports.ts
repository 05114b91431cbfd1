import { randomUUID } from 'node:crypto';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { readText } from './read-text.ts';
import type { FoundSource } from './found-server.ts';
import type { Machine } from './host-places.ts';
import { readPickedFile, scanMachine } from './scan.ts';
import { mergeSources, type PreviewServer } from './show-preview.ts';

/** Where a preview comes from. */
export type ImportFrom = { readonly scan: true } | { readonly path: string } | { readonly text: string; readonly name?: string | undefined };

export interface Preview {
  readonly id: string;
  readonly at: number;
  readonly sources: readonly FoundSource[];
  readonly servers: readonly PreviewServer[];
}

const KEPT_MS = 30 * 60_000;
const KEPT = 8;

/**
 * What was read of other programs and not yet decided, in memory only: the values that a preview masks are here and nowhere else. The oldest goes when there are
 * more than eight, and each after 30 minutes.
 */
export class Imports {
  readonly #previews = new Map<string, Preview>();
  readonly #machine: Machine;
  readonly #now: () => number;

  constructor(deps: { readonly machine: Machine; readonly now: () => number }) {
    this.#machine = deps.machine;
    this.#now = deps.now;
  }

  get hostEnv(): Machine['env'] {
    return this.#machine.env;
  }

  get home(): string {
    return this.#machine.home;
  }

  /** Reads without keeping. Errors as of `readText` and `readPickedFile`; a scan has none of its own. */
  async read(from: ImportFrom): Promise<Result<{ readonly sources: readonly FoundSource[]; readonly servers: readonly PreviewServer[] }, Fault>> {
    const sources = await this.#sources(from);
    return sources.ok ? ok({ sources: sources.value, servers: mergeSources(sources.value, this.#machine.env) }) : sources;
  }

  async open(from: ImportFrom): Promise<Result<Preview, Fault>> {
    const read = await this.read(from);
    if (!read.ok) return read;
    const preview = { id: randomUUID(), at: this.#now(), ...read.value };
    this.#forgetOld();
    this.#previews.set(preview.id, preview);
    while (this.#previews.size > KEPT) this.#previews.delete(this.#previews.keys().next().value!);
    return ok(preview);
  }

  get(id: string): Preview | null {
    this.#forgetOld();
    return this.#previews.get(id) ?? null;
  }

  forget(id: string): void {
    this.#previews.delete(id);
  }

  #forgetOld(): void {
    for (const [id, preview] of this.#previews) if (this.#now() - preview.at > KEPT_MS) this.#previews.delete(id);
  }

  async #sources(from: ImportFrom): Promise<Result<readonly FoundSource[], Fault>> {
    if ('scan' in from) return ok(await scanMachine(this.#machine));
    if ('path' in from) {
      const file = await readPickedFile(from.path);
      return file.ok ? ok([file.value]) : file;
    }
    const found = readText(from.text, from.name !== undefined && /(^|[\\/])(settings\.json|\.claude\.json|config\.toml)$/.test(from.name) ? { wholeSettings: true } : {});
    if (!found.ok) return found;
    if (found.value.servers.length === 0) return err(fault('import_no_servers', 'These settings hold no MCP server.', { field: 'text', remedy: 'Check that it is the right file.', details: { found: [] } }));
    return ok([{ host: found.value.host, path: from.name ?? null, servers: found.value.servers, unread: found.value.unread, fault: null, absent: false }]);
  }
}
