export const runProgram: (command: string, args: readonly string[], options: { readonly root: string; readonly env?: NodeJS.ProcessEnv; readonly timeoutMs?: number; readonly quiet?: boolean }) => Promise<{ readonly code: number | null; readonly signal: string | null; readonly said: string }>;
export const networkCause: (said: string) => string | null;
