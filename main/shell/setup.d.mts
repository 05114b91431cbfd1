export interface SetupOptions {
  readonly root: string;
  readonly log: (line: string) => void;
}
export const ensureInstalled: (options: SetupOptions) => Promise<void>;
export const ensureBuilt: (options: SetupOptions & { readonly target?: 'renderer' | 'host' | 'electron' }) => Promise<void>;
export const isBuilt: (options: { readonly root: string; readonly target: 'renderer' | 'host' | 'electron' }) => boolean;
export const pinnedNode: (root: string) => string;
export const runVisibly: (command: string, args: readonly string[], options: { readonly root: string; readonly env?: NodeJS.ProcessEnv; readonly timeoutMs?: number }) => Promise<void>;
