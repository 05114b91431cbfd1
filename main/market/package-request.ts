import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';

/** A package of a registry, by name and by version, range or tag. Never a path, an address or a git repository. */
export interface PackageRequest {
  readonly name: string;
  /** npm's grammar: `1.2.3`, `^1.2`, `latest` */
  readonly version: string;
}

/** npm's name rules for new packages: lower case, at most 214 characters, one optional scope. */
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
/** Versions, ranges and tags only: no `:`, `/`, `@`, `#` or `%`, so that it cannot turn into `file:`, `git+ssh:`, `npm:` or an address. */
const VERSION = /^[0-9A-Za-z^~<>=*][0-9A-Za-z.+\-~^<>=|* ]*$/;
const RESERVED = new Set(['node_modules', 'favicon.ico', '.', '..']);

const refuse = (field: 'spec.package' | 'spec.version', message: string, remedy: string): Result<never> => err(fault('invalid_request', message, { field, remedy }));

/**
 * Reads what a person or a catalog wrote as an npm package. `name@version` in the package field is taken apart when no version is given.
 * Errors: invalid_request with field `spec.package` or `spec.version`.
 */
export const parsePackageRequest = (spec: { readonly package: string; readonly version?: string | undefined }): Result<PackageRequest> => {
  const at = spec.package.indexOf('@', 1);
  const name = at > 0 ? spec.package.slice(0, at) : spec.package;
  const version = (spec.version ?? (at > 0 ? spec.package.slice(at + 1) : 'latest')).trim();
  if (at > 0 && spec.version !== undefined && spec.package.slice(at + 1) !== spec.version) {
    return refuse('spec.version', 'Two different versions are given for one package.', 'Give the version once.');
  }
  if (/^(?:file|link|git(?:\+[a-z]+)?|github|gitlab|bitbucket|gist|https?|npm|workspace|portal|patch|jsr):/i.test(name) || /[/\\]/.test(name.replace(/^@[^/]*\//, ''))) {
    return refuse('spec.package', 'Only packages of a registry can be installed: no folders, addresses or git repositories.', 'Give the name of an npm package, or add the server as a custom command.');
  }
  if (name.length > 214 || !NAME.test(name) || name.startsWith('-') || name.includes('/-') || RESERVED.has(name.replace(/^@[^/]*\//, ''))) {
    return refuse('spec.package', 'This is not the name of an npm package.', 'Names look like `name` or `@scope/name`, in lower case.');
  }
  if (/:|\/|@|#/.test(version)) {
    return refuse('spec.version', 'Only versions, ranges and tags of the registry can be installed: no paths, addresses, aliases or git references.', 'Give a version such as `1.2.3`, or leave it empty for the latest.');
  }
  if (version.length > 128 || !VERSION.test(version) || version.startsWith('-')) {
    return refuse('spec.version', 'This is not a version, range or tag.', 'Give a version such as `1.2.3`, or leave it empty for the latest.');
  }
  return ok({ name, version });
};
