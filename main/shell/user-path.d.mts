export const withoutNpmFolders: (path: string) => string;
