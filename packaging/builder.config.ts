import { fileURLToPath } from 'node:url';
import type { Configuration } from 'electron-builder';
import { configuration } from './builder.ts';
import { unneededNames } from './needed-packages.ts';

/** `npm run package` builds, then runs electron-builder with this. */
export default (): Configuration => configuration(process.env, unneededNames(fileURLToPath(new URL('..', import.meta.url))));
