import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packagePlaces } from './package-places.ts';

test('B04 in a package, what other programs read lies outside the archive, and the rest inside', () => {
  const resourcesPath = join('/opt', 'Gantry', 'resources');
  const places = packagePlaces({ root: join(resourcesPath, 'app.asar', '/'), packaged: true, resourcesPath, platform: 'linux' });
  expect(places).toEqual({
    rendererDir: join(resourcesPath, 'app.asar', 'dist', 'renderer'),
    preload: join(resourcesPath, 'app.asar', 'dist', 'electron', 'preload.cjs'),
    licencesFile: join(resourcesPath, 'app.asar', 'dist', 'renderer', 'licences.json'),
    assetsDir: join(resourcesPath, 'app.asar.unpacked', 'assets'),
    iconsDir: join(resourcesPath, 'app.asar', 'assets', 'icons'),
    hostNode: join(resourcesPath, 'node', 'node'),
  });
  expect(packagePlaces({ root: '/r', packaged: true, resourcesPath: '/r', platform: 'win32' }).hostNode).toBe(join('/r', 'node', 'node.exe'));
});

test('B04 from the sources, everything lies where the sources are', () => {
  expect(packagePlaces({ root: join('/src', 'gantry'), packaged: false, resourcesPath: '/electron/resources', platform: 'linux' })).toMatchObject({
    assetsDir: join('/src', 'gantry', 'assets'), hostNode: join('/src', 'gantry', 'node_modules', 'node', 'bin', 'node'),
  });
});
