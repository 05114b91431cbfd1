import type { Definition } from '../../../shared/capability.ts';
import type { RouteId } from '../../../shared/rendering.ts';
import { inTurns } from '../../in-turns.ts';
import { renderFor, renderWithHostField, type Rendering } from './rendering.ts';

const MAX_KEPT = 20_000;

export interface ToRender {
  readonly definition: Definition;
  readonly definitionFingerprint: string;
  readonly routeId: RouteId;
  /** with the host's own field, where there is room */
  readonly hostField?: boolean;
}

/** Renderings by definition and route; a definition never changes under its fingerprint, so one is made once. */
export class Renderings {
  readonly #kept = new Map<string, Rendering>();

  of({ definition, definitionFingerprint, routeId, hostField = false }: ToRender): Rendering {
    const key = `${routeId} ${hostField ? 'host ' : ''}${definitionFingerprint}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const rendering = hostField ? renderWithHostField(definition, routeId) : renderFor(definition, routeId);
    this.#kept.set(key, rendering);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return rendering;
  }

  /** All of them are at hand afterwards; a long list is worked through in turns with others. */
  prepare(wanted: readonly ToRender[]): Promise<void> {
    return inTurns(this.#each(wanted));
  }

  *#each(wanted: readonly ToRender[]): Generator<void, void> {
    for (const one of wanted) {
      this.of(one);
      yield;
    }
  }
}
