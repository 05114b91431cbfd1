export const findChromium: (env?: NodeJS.ProcessEnv, platform?: NodeJS.Platform) => string | null;
export const ensureBrowser: (log: (line: string) => void) => string | null;
