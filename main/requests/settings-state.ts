import { parseCapabilityId } from '../../shared/capability-id.ts';
import type { Notice } from '../../shared/notice.ts';
import type { Settings } from '../../shared/settings.ts';
import type { ExposureWishes } from '../agent/exposure.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import type { Store, WriteDb } from '../store/database.ts';
import { readSettings, resetSettings, settingNotices, writeSettings } from '../store/settings.ts';

export type SettingsChange = { readonly [K in keyof Settings]?: Settings[K] | undefined };

interface SettingsStateDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly bus: Bus;
  /** set before anything reads them */
  readonly language: Settings['language'] | undefined;
  /** called before the window is told */
  readonly onChange: (before: Settings, after: Settings) => void;
  /** the notices are others */
  readonly onNotices: () => void;
}

/** The settings as they are now, and what is to be said of their rows. */
export class SettingsState {
  readonly #deps: SettingsStateDeps;
  #now: Settings;
  #notices: readonly Notice[];

  constructor(deps: SettingsStateDeps) {
    const { store, clock, language } = deps;
    this.#deps = deps;
    this.#notices = store.read((db) => settingNotices(db, clock.now()));
    this.#now = language ? store.write((db) => writeSettings(db, { language })) : store.read(readSettings);
  }

  get now(): Settings {
    return this.#now;
  }

  get notices(): readonly Notice[] {
    return this.#notices;
  }

  write(change: SettingsChange): Settings {
    return this.#change((db) => writeSettings(db, change));
  }

  reset(): void {
    this.#change(resetSettings);
    this.#notices = [{ code: 'data_reset', at: this.#deps.clock.now(), message: 'The settings were reset.', details: { what: 'settings' } }];
    this.#deps.onNotices();
  }

  /** A later server of the same id is another one. */
  unpin(serverId: string): void {
    const pinnedTools = this.#now.pinnedTools.filter((id) => parseCapabilityId(id)?.serverId !== serverId);
    if (pinnedTools.length < this.#now.pinnedTools.length) this.write({ pinnedTools });
  }

  wishes(): ExposureWishes {
    return { tools: this.#now.toolsPerRequest, tokens: this.#now.toolTokensPerRequest, pinned: this.#now.pinnedTools };
  }

  #change(change: (db: WriteDb) => Settings): Settings {
    const before = this.#now;
    this.#now = this.#deps.store.write(change);
    this.#deps.onChange(before, this.#now);
    this.#deps.bus.emit('settings:changed', { settings: this.#now });
    return this.#now;
  }
}
