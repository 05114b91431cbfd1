import type { Definition } from '../../../shared/capability.ts';
import type { RouteId } from '../../../shared/rendering.ts';
import { renderFor, type Rendering } from './rendering.ts';

const MAX_KEPT = 20_000;
/** Rendering a long list is cut into slices of this length, so that nothing else waits for all of it. */
const SLICE_MS = 8;

export interface ToRender {
  readonly definition: Definition;
  readonly definitionFingerprint: string;
  readonly routeId: RouteId;
}

/** Renderings by definition and route; a definition never changes under its fingerprint, so one is made once. */
export class Renderings {
  readonly #kept = new Map<string, Rendering>();

  of({ definition, definitionFingerprint, routeId }: ToRender): Rendering {
    const key = `${routeId} ${definitionFingerprint}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const rendering = renderFor(definition, routeId);
    this.#kept.set(key, rendering);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return rendering;
  }

  /** All of them are at hand afterwards. */
  async prepare(wanted: readonly ToRender[]): Promise<void> {
    let since = performance.now();
    for (const one of wanted) {
      this.of(one);
      if (performance.now() - since < SLICE_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
  }
}
