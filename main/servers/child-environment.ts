import { randomUUID } from 'node:crypto';
import type { Argument, ConfigValue, Launch } from '../../shared/server.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { fillNothing, type FillText } from './fill-placeholders.ts';
import { inheritedEnvironment } from './launch-environment.ts';
import { valueMisfit } from './launch-values.ts';
import { TOKEN_NAME } from './process-identity.ts';

type StdioLaunch = Extract<Launch, { kind: 'stdio' }>;

/** Reads a configured value; a secret is revealed here and nowhere else on the way to its own server. */
export type RevealSecret = (ref: string) => Result<string, Fault>;

/** Values of `env` or `headers`, secrets revealed and placeholders filled in. Errors are those of the two, with `field` naming the place. */
export const revealValues = (values: Readonly<Record<string, ConfigValue>>, reveal: RevealSecret, place: 'env' | 'header', fill: FillText = fillNothing): Result<Record<string, string>, Fault> => {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const shown = 'plain' in value ? fill(value.plain, `${place}.${name}`) : reveal(value.secretRef);
    if (!shown.ok) return err({ ...shown.error, field: `${place}.${name}` });
    plain[name] = shown.value;
    const misfit = valueMisfit(place, plain[name]!, name);
    if (misfit) return err(fault('invalid_request', `The value of ${name} ${misfit.what}.`, { field: `${place}.${name}`, remedy: misfit.remedy }));
  }
  return ok(plain);
};

/** The arguments as the program gets them, secrets revealed and placeholders filled in. Errors as of `revealValues`. */
export const revealArguments = (args: readonly Argument[], reveal: RevealSecret, fill: FillText = fillNothing): Result<string[], Fault> => {
  const plain: string[] = [];
  for (const [at, arg] of args.entries()) {
    const value = typeof arg === 'string' ? fill(arg, `args.${at}`) : reveal(arg.secretRef);
    if (!value.ok) return err({ ...value.error, field: `args.${at}` });
    const misfit = valueMisfit('arg', value.value);
    if (misfit) return err(fault('invalid_request', `Argument ${at + 1} ${misfit.what}.`, { field: `args.${at}`, remedy: misfit.remedy }));
    plain.push(value.value);
  }
  return ok(plain);
};

const setHome = (env: Record<string, string>, home: string, platform: NodeJS.Platform): void => {
  if (platform === 'win32') {
    env['USERPROFILE'] = home;
    delete env['HOMEDRIVE'];
    delete env['HOMEPATH'];
  }
  env['HOME'] = home;
};

/**
 * The whole environment of a child: the allow-list of the host's, the recovered PATH, what the network settings give it, the server's home, the server's own values, and
 * the token by which a crashed host knows it again. Nothing else of the host's environment reaches it (M14).
 */
export const childEnvironment = (
  launch: StdioLaunch,
  own: Readonly<Record<string, string>>,
  path: string,
  host: Readonly<Record<string, string | undefined>> = process.env,
  network: Readonly<Record<string, string>> = {},
): { readonly env: Record<string, string>; readonly token: string } => {
  const env = inheritedEnvironment(host);
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  env[pathName] = path;
  Object.assign(env, network);
  setHome(env, launch.home, process.platform);
  Object.assign(env, own);
  const token = randomUUID();
  env[TOKEN_NAME] = token;
  return { env, token };
};
