import { statSync } from 'node:fs';
import { fault, type Fault } from '../../../shared/fault.ts';
import type { Argument, ArgumentInput, ConfigValueInput, Launch, PlaceholderInput, ServerSpec } from '../../../shared/server.ts';
import { checkEnvironmentNames } from '../../servers/launch-environment.ts';
import { checkSpec } from './check-spec.ts';
import { checkConfigInputs } from './config-values.ts';
import { checkArgs } from './sealed-args.ts';
import { checkPlaceholders } from './sealed-placeholders.ts';

type Values = Readonly<Record<string, ConfigValueInput | null>>;

export interface JudgedConfiguration {
  readonly spec: ServerSpec;
  readonly args?: readonly (ArgumentInput | { readonly secretRef: string })[] | undefined;
  readonly env?: Values | undefined;
  readonly headers?: Values | undefined;
  readonly placeholders?: Readonly<Record<string, PlaceholderInput | null>> | undefined;
  /** of a server that is changed: what it has */
  readonly before?: { readonly args: readonly Argument[]; readonly env: Readonly<Record<string, unknown>>; readonly headers: Readonly<Record<string, unknown>> };
}

/**
 * The one judge of what is to run or to be contacted, for preview, add and update alike: what could never be installed, started or sent is refused here, before
 * anything is stored. `place` as in `checkSpec`. Faults: `invalid_request`, `dangerous_environment`, with field and remedy, never with a value.
 */
export const judgeConfiguration = ({ spec, args, env, headers, placeholders, before }: JudgedConfiguration, place: '/spec' | ''): Fault | null => {
  const misfit = checkSpec(spec, place) ?? fitsKind(spec, { args, env, headers }) ?? checkConfigInputs('env', env, before?.env) ?? checkConfigInputs('header', headers, before?.headers) ?? checkArgs(args, before?.args ?? []) ?? checkPlaceholders({ spec, placeholders });
  if (misfit) return misfit;
  const names = checkEnvironmentNames(Object.keys(env ?? {}).filter((name) => env?.[name] !== null), true);
  return names.ok ? null : { ...names.error, field: `/env/${names.error.field?.slice('env.'.length) ?? ''}` };
};

const fitsKind = (spec: ServerSpec, { args, env, headers }: Pick<JudgedConfiguration, 'args' | 'env' | 'headers'>): Fault | null => {
  const given = (values: Values | undefined): boolean => Object.values(values ?? {}).some((value) => value !== null);
  if (spec.kind === 'http' && given(env)) return fault('invalid_request', 'a remote server has no environment here', { field: '/env', remedy: 'Use headers for a remote server.' });
  if (spec.kind === 'http' && (args?.length ?? 0) > 0) return fault('invalid_request', 'a remote server takes no arguments', { field: '/args', remedy: 'Use headers for a remote server.' });
  if (spec.kind !== 'http' && given(headers)) return fault('invalid_request', 'a local server takes no headers', { field: '/headers', remedy: 'Use environment variables for a local server.' });
  return null;
};

/** A working folder that the caller names has to be there: a program cannot start in another. */
export const judgeFolder = (spec: ServerSpec, launch: Launch, place: '/spec' | ''): Fault | null => {
  if (spec.kind !== 'command' || spec.cwd === undefined || launch.kind !== 'stdio' || launch.cwd === launch.home) return null;
  const field = `${place}/cwd`;
  const found = statSync(launch.cwd, { throwIfNoEntry: false });
  if (found === undefined) return fault('invalid_request', `the working folder ${launch.cwd} does not exist`, { field, remedy: 'Create it, or name another; a relative one begins at the home folder.' });
  return found.isDirectory() ? null : fault('invalid_request', `the working folder ${launch.cwd} is not a folder`, { field, remedy: 'Name the folder that it is in.' });
};
