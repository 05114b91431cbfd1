import type { Bus } from '../bus.ts';

/** Words are put together for so long: a window draws no faster. */
const EVERY_MS = 40;

/** Tells windows the words of one model request as they come. */
export class DeltaTeller {
  readonly #bus: Bus;
  readonly #about: { readonly runId: string; readonly turn: number; readonly attempt: number };
  #text = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(bus: Bus, about: { readonly runId: string; readonly turn: number; readonly attempt: number }) {
    this.#bus = bus;
    this.#about = about;
  }

  hear(text: string): void {
    if (!this.#bus.hears('agent:delta')) return;
    this.#text += text;
    this.#timer ??= setTimeout(() => this.tell(), EVERY_MS).unref();
  }

  /** What has not been told yet, now. */
  tell(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#text === '') return;
    this.#bus.emit('agent:delta', { ...this.#about, text: this.#text });
    this.#text = '';
  }
}
