import { join, sep } from 'node:path';

export interface PackagePlaces {
  readonly rendererDir: string;
  readonly preload: string;
  readonly licencesFile: string;
  /** catalog and first-party servers, as real files: servers are other programs, which cannot read an archive */
  readonly assetsDir: string;
  readonly iconsDir: string;
  /** the Node that runs npm and first-party servers; never Electron itself, whose RunAsNode fuse is off */
  readonly hostNode: string;
}

/** A file that the packaging keeps outside the archive (electron-builder's asarUnpack) lies at the same place under `app.asar.unpacked`. */
export const outsideArchive = (path: string): string => path.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);

/** Where the parts of this Gantry lie. `root` holds package.json: the sources, or `resources/app.asar` of a package. */
export const packagePlaces = (facts: { readonly root: string; readonly packaged: boolean; readonly resourcesPath: string; readonly platform: NodeJS.Platform }): PackagePlaces => {
  const { root } = facts;
  const node = facts.platform === 'win32' ? 'node.exe' : 'node';
  return {
    rendererDir: join(root, 'dist', 'renderer'),
    preload: join(root, 'dist', 'electron', 'preload.cjs'),
    licencesFile: join(root, 'dist', 'renderer', 'licences.json'),
    assetsDir: outsideArchive(join(root, 'assets')),
    iconsDir: join(root, 'assets', 'icons'),
    hostNode: facts.packaged ? join(facts.resourcesPath, 'node', node) : join(root, 'node_modules', 'node', 'bin', node),
  };
};
