import { delimiter, sep } from 'node:path';

/**
 * The person's PATH: npm puts folders of this package in front of it for its own scripts, and a server's command must not be found there.
 * @param {string} path @returns {string}
 */
export const withoutNpmFolders = (path) =>
  path
    .split(delimiter)
    .filter((folder) => !folder.endsWith(`${sep}node_modules${sep}.bin`) && !folder.endsWith(`${sep}node-gyp-bin`) && !folder.endsWith(`${sep}node_modules${sep}node${sep}bin`))
    .join(delimiter);
