import { fileURLToPath } from 'node:url';
import type { Configuration } from 'electron-builder';
import { configuration } from './builder.ts';
import { unneededPlaces } from './needed-packages.ts';

/** `npm run package` builds, then runs electron-builder with this. */
export default (): Configuration => configuration(process.env, unneededPlaces(fileURLToPath(new URL('..', import.meta.url))));
