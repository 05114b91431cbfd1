import { fileURLToPath } from 'node:url';
import type { Configuration } from 'electron-builder';
import { computed } from './builder.ts';
import { unneededNames } from './needed-packages.ts';

/** What electron-builder.yml extends. */
export default (): Configuration => computed(process.env, unneededNames(fileURLToPath(new URL('..', import.meta.url))));
