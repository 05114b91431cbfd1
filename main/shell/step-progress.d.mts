export function withProgress<T>(
  step: { readonly begins: string; readonly name: string; readonly ends: string; readonly log: (line: string) => void; readonly countDone?: () => string; readonly everyMs?: number },
  work: () => Promise<T>,
): Promise<T>;
