import type { Capability } from '../../shared/capability.ts';
import type { CapabilityIndex, Entry } from './capability-index.ts';
import { capabilityView } from './capability-view.ts';

interface Kept {
  readonly stamp: number;
  readonly reason: string | null;
  readonly view: Capability;
}

/** Capabilities as the contract shows them, made once and not for each list or call: one is made anew when what it tells of has changed. */
export class CapabilityViews {
  readonly #index: CapabilityIndex;
  readonly #kept = new WeakMap<Entry, Kept>();

  constructor(index: CapabilityIndex) {
    this.#index = index;
  }

  /** `reason`: why it cannot be called now; null: it can. */
  of(entry: Entry, reason: string | null): Capability {
    const stamp = this.#index.stampOf(entry);
    const kept = this.#kept.get(entry);
    if (kept !== undefined && kept.stamp === stamp && kept.reason === reason) return kept.view;
    const view = capabilityView(entry, this.#index, reason);
    this.#kept.set(entry, { stamp, reason, view });
    return view;
  }
}
