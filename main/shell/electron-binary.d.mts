export const findElectron: (options: { readonly root: string; readonly log: (line: string) => void; readonly insist: boolean; readonly now?: number }) => Promise<string | null>;
