import type { BrowserWindow, BrowserWindowConstructorOptions, Event, Screen, WebContents } from 'electron';
import { APP_PAGE } from './app-protocol.ts';
import type { OwnWindow } from './request-channels.ts';
import { ReloadBudget } from './reload-budget.ts';
import type { UserGesture } from './user-gesture.ts';
import { windowOptions } from './window-preferences.ts';
import { placeWindow, readWindowPlace, writeWindowPlace, type Rectangle } from './window-place.ts';

/** Moving and resizing are many events; the place is written once they rest. */
const REST_MS = 500;

export interface MainWindowDeps {
  readonly create: (options: BrowserWindowConstructorOptions) => BrowserWindow;
  readonly screen: Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay'>;
  readonly preload: string;
  readonly icon: string | null;
  readonly placePath: string;
  readonly gestureOf: (contents: WebContents) => UserGesture;
  /** what the close button does; `let` closes it */
  readonly onClose: () => 'hide' | 'quit' | 'let';
  readonly onHidden: () => void;
  readonly onQuit: () => void;
  readonly onSeen: () => void;
  /** the page crashed too often: true loads it again */
  readonly askToReopen: () => Promise<boolean>;
  /** the system ends the session (Windows) */
  readonly onSessionEnd: () => void;
}

/** The one window of Gantry: opened where it was left, loaded again after a crash for as long as that helps. What the host does goes on without it. */
export class MainWindow {
  readonly #deps: MainWindowDeps;
  readonly #reloads = new ReloadBudget();
  #own: OwnWindow | null = null;
  #resting: NodeJS.Timeout | null = null;

  constructor(deps: MainWindowDeps) {
    this.#deps = deps;
  }

  get own(): OwnWindow | null {
    return this.#own && !this.#own.window.isDestroyed() ? this.#own : null;
  }

  /** Somebody looks at it. */
  get seen(): boolean {
    const window = this.own?.window;
    return window !== undefined && window.isVisible() && !window.isMinimized() && window.isFocused();
  }

  /** Brings the window to the front, and makes it where there is none. */
  async open(): Promise<void> {
    const there = this.own?.window;
    if (!there) return this.#make();
    if (there.isMinimized()) there.restore();
    there.show();
    there.focus();
    if (there.webContents.isCrashed()) {
      this.#reloads.forgive();
      await there.loadURL(APP_PAGE);
    }
  }

  #workAreas(): readonly [Rectangle, ...Rectangle[]] {
    const primary = this.#deps.screen.getPrimaryDisplay();
    return [primary.workArea, ...this.#deps.screen.getAllDisplays().filter((one) => one.id !== primary.id).map((one) => one.workArea)];
  }

  async #make(): Promise<void> {
    const place = placeWindow(readWindowPlace(this.#deps.placePath), this.#workAreas());
    const window = this.#deps.create({ ...windowOptions(this.#deps.preload), ...place.bounds, fullscreen: place.fullScreen, ...(this.#deps.icon ? { icon: this.#deps.icon } : {}) });
    this.#own = { window, gesture: this.#deps.gestureOf(window.webContents) };
    window.once('ready-to-show', () => {
      if (place.maximized) window.maximize();
      window.show();
    });
    for (const event of ['resize', 'move', 'maximize', 'unmaximize', 'enter-full-screen', 'leave-full-screen'] as const) window.on(event as 'resize', () => this.#keepSoon(window));
    window.on('focus', this.#deps.onSeen);
    window.on('close', (event) => this.#closing(window, event));
    window.on('closed', () => {
      this.#own = null;
    });
    window.on('session-end', this.#deps.onSessionEnd);
    window.webContents.on('render-process-gone', (_event, details) => void this.#gone(window, details.reason));
    await window.loadURL(APP_PAGE);
  }

  #closing(window: BrowserWindow, event: Pick<Event, 'preventDefault'>): void {
    this.#keep(window);
    const does = this.#deps.onClose();
    if (does === 'let') return;
    event.preventDefault();
    if (does === 'quit') return this.#deps.onQuit();
    window.hide();
    this.#deps.onHidden();
  }

  async #gone(window: BrowserWindow, reason: Parameters<ReloadBudget['gone']>[0]): Promise<void> {
    const next = this.#reloads.gone(reason, performance.now());
    if (next === 'nothing' || window.isDestroyed()) return;
    if (next === 'ask') {
      if (!(await this.#deps.askToReopen())) return window.destroy();
      this.#reloads.forgive();
    }
    if (!window.isDestroyed()) await window.loadURL(APP_PAGE).catch(() => {});
  }

  #keepSoon(window: BrowserWindow): void {
    if (this.#resting) clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#keep(window), REST_MS).unref();
  }

  #keep(window: BrowserWindow): void {
    if (this.#resting) clearTimeout(this.#resting);
    this.#resting = null;
    if (!window.isDestroyed()) writeWindowPlace(this.#deps.placePath, { bounds: window.getNormalBounds(), maximized: window.isMaximized(), fullScreen: window.isFullScreen() });
  }
}
