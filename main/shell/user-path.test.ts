import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import { withoutNpmFolders } from './user-path.mjs';

test('I40 a command is looked up in the person\u2019s folders, not in those that npm puts before them', () => {
  const path = ['/app/node_modules/.bin', '/node_modules/.bin', '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin', '/home/me/bin', '/usr/bin'].join(delimiter);
  expect(withoutNpmFolders(path)).toBe(['/home/me/bin', '/usr/bin'].join(delimiter));
});
