import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import Arborist from '@npmcli/arborist';
import npmFetch from 'npm-registry-fetch';
import pacote from 'pacote';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { ContactNote } from '../network/outbound.ts';
import type { OutboundConfig } from '../network/proxy-route.ts';
import { fetchOptions } from './fetch-options.ts';
import type { RegistryOptions } from './npm-config.ts';
import { findBin } from './package-bin.ts';
import type { PackageRequest } from './package-request.ts';
import { registryFault } from './registry-fault.ts';
import type { InstallStep } from './registry-fault.ts';

export interface BuildJob {
  readonly dir: string;
  readonly cacheDir: string;
  readonly request: PackageRequest;
  readonly registry: RegistryOptions;
  readonly network: OutboundConfig;
  /** makes `node_modules/.bin`, which install scripts need and nothing else does */
  readonly binLinks: boolean;
}

/** A package that carries install scripts; `bundled` ones have no integrity of their own and never run. */
export interface ScriptedPackage {
  readonly package: string;
  readonly version: string;
  /** folder relative to the installation, with `/` */
  readonly location: string;
  readonly events: Readonly<Partial<Record<'preinstall' | 'install' | 'postinstall', string>>>;
  readonly bundled: boolean;
}

export interface BuiltTree {
  readonly version: string;
  readonly integrity: string;
  /** address of the registry it came from */
  readonly registry: string;
  /** the program, relative to the folder */
  readonly entry: string;
  readonly packageCount: number;
  readonly scripted: readonly ScriptedPackage[];
}

export type Progress = (step: InstallStep, done?: number, total?: number) => void;

/** What the root of an installed folder says; made again when it is damaged. */
export const rootPackageJson = (name: string, version: string): string => `${JSON.stringify({ name: 'gantry-app', private: true, dependencies: { [name]: version } }, null, 2)}\n`;

/** Where a package comes from, without what could sign in there. */
const registryOf = (request: PackageRequest, options: Record<string, unknown>): string => {
  const url = new URL(npmFetch.pickRegistry(`${request.name}@${request.version}`, options));
  return `${url.origin}${url.pathname}`;
};

const scriptsOf = (dir: string, location: string): ScriptedPackage['events'] => {
  try {
    const { scripts = {}, gypfile } = JSON.parse(readFileSync(join(dir, location, 'package.json'), 'utf8')) as { scripts?: Record<string, unknown>; gypfile?: unknown };
    const events: Partial<Record<'preinstall' | 'install' | 'postinstall', string>> = {};
    for (const event of ['preinstall', 'install', 'postinstall'] as const) if (typeof scripts[event] === 'string') events[event] = scripts[event];
    if (!events.preinstall && !events.install && gypfile !== false && existsSync(join(dir, location, 'binding.gyp'))) events.install = 'node-gyp rebuild';
    return events;
  } catch {
    return {};
  }
};

/** Reports unpacked packages while arborist works; gives the function that stops listening. */
const watchUnpacking = (onProgress: Progress): (() => void) => {
  let total = 0;
  let done = 0;
  const listener = (phase: string, name: string): void => {
    if (name === 'reify:build' && phase === 'start') onProgress('extract');
    if (!name.startsWith('reifyNode:')) return;
    if (phase === 'start') total += 1;
    else done += 1;
    onProgress('download', done, total);
  };
  const events = process as unknown as NodeJS.EventEmitter;
  events.on('time', listener);
  return () => events.off('time', listener);
};

/**
 * Resolves the exact version, downloads and unpacks it with its production dependencies into an empty folder, and writes the lock.
 * Runs no script. Errors: package_not_found, network_failed, integrity_mismatch, no_executable, install_failed.
 */
export const buildTree = async (job: BuildJob, onProgress: Progress, onContact?: (note: ContactNote) => void): Promise<Result<BuiltTree, Fault>> => {
  const { dir, request } = job;
  const options = fetchOptions(job.registry, job.cacheDir, job.network, onContact);
  let step: InstallStep = 'resolve';
  try {
    onProgress('resolve');
    const manifest = await pacote.manifest(`${request.name}@${request.version}`, { ...options, preferOnline: true } as pacote.Options);
    const integrity = manifest._integrity;
    if (!integrity) {
      return err(fault('integrity_mismatch', `The registry gives no integrity for ${request.name}@${manifest.version}.`, { field: 'spec.package', remedy: 'Use a registry that records integrity.', details: { step } }));
    }
    writeFileSync(join(dir, 'package.json'), rootPackageJson(request.name, manifest.version));
    const arborist = new Arborist({
      ...options,
      path: dir,
      audit: false,
      fund: false,
      progress: false,
      packageLock: true,
      lockfileVersion: 3,
      installLinks: true,
      binLinks: job.binLinks,
      omit: ['dev'],
    } as Arborist.Options);
    await arborist.buildIdealTree();
    step = 'download';
    const stop = watchUnpacking((name, done, total) => {
      step = name;
      onProgress(name, done, total);
    });
    const tree = await arborist.reify({ omit: ['dev'] } as never).finally(stop);
    // a cache of the lock for npm's own use: nothing reads it here
    rmSync(join(dir, 'node_modules', '.package-lock.json'), { force: true });

    const nodes = [...tree.inventory.values()].filter((node) => !node.isRoot && existsSync(node.path)).toSorted((a, b) => a.depth - b.depth || a.path.localeCompare(b.path, 'en'));
    const app = nodes.find((node) => node.location === `node_modules/${request.name}`);
    if (!app || app.version !== manifest.version || (app.integrity && app.integrity !== integrity)) {
      return err(fault('integrity_mismatch', `What was installed is not ${request.name}@${manifest.version} as the registry describes it.`, { field: 'spec.package', details: { step } }));
    }
    const bin = findBin(app.path, request.name);
    if (!bin.ok) return bin;
    const scripted = nodes
      .map((node) => ({ package: node.packageName ?? node.name, version: node.version, location: node.location, events: scriptsOf(dir, node.location), bundled: node.inBundle === true }))
      .filter((one) => Object.keys(one.events).length > 0);
    return ok({ version: manifest.version, integrity, registry: registryOf(request, options), entry: join(relative(dir, app.path), bin.value).split(sep).join('/'), packageCount: nodes.length, scripted });
  } catch (error) {
    return err(registryFault(error, step, request, registryOf(request, options)));
  }
};
