import type { RenderingStep, StepCode, StepKind } from '../../../shared/rendering.ts';
import type { RouteProfile, RouteRule } from './route-profile.ts';

/** The rendering would be larger than a model is shown; ends it, and is caught where it began. */
export class RenderingTooLarge extends Error {}

const MAX_STEPS = 200;

/** What one rendering has used up and what it did. */
export class RenderingContext {
  readonly profile: RouteProfile;
  readonly steps: RenderingStep[] = [];
  readonly #seen = new Set<string>();
  #left: number;
  constructor(profile: RouteProfile, maxSchemas: number) {
    this.profile = profile;
    this.#left = maxSchemas;
  }

  get toldCount(): number {
    return this.steps.filter((step) => step.kind === 'told').length;
  }

  /** One more subschema of the result. */
  spend(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new RenderingTooLarge();
  }

  step(place: string, kind: StepKind, code: StepCode, rule: RouteRule | null, detail?: string): void {
    const key = `${place} ${code} ${detail ?? ''}`;
    if (this.#seen.has(key) || this.steps.length >= MAX_STEPS) return;
    this.#seen.add(key);
    this.steps.push({ place, kind, code, ...(detail === undefined ? {} : { detail }), ...(rule === null ? {} : { source: this.profile.sources[rule] }) });
  }
}
