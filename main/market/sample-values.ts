import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogFile, MarketInput } from '../../shared/market.ts';

/** Small real files for apps that want one before they start. */
const SAMPLE_FILES: Readonly<Record<string, string>> = {
  KUBECONFIG:
    'apiVersion: v1\nkind: Config\ncurrent-context: sample\nclusters:\n- name: sample\n  cluster: {server: "https://127.0.0.1:6443"}\ncontexts:\n- name: sample\n  context: {cluster: sample, user: sample}\nusers:\n- name: sample\n  user: {token: sample}\n',
  '--openapi-spec':
    '{"openapi":"3.0.0","info":{"title":"Pets","version":"1"},"paths":{"/pets/{id}":{"get":{"operationId":"getPet","summary":"One pet","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"responses":{"200":{"description":"ok"}}}}}}',
};

export interface SampleValues {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** names of inputs that got a value which opens nothing */
  readonly madeUp: readonly string[];
  /** variables that need not be given, with a value: for what they change */
  readonly optionalEnv: Readonly<Record<string, string>>;
}

/** What a person would fill in, as far as it can be made up: a folder for a folder, a file for a file, the default, the first choice or the example for the rest. Required inputs only. */
export const sampleValues = (entry: Pick<CatalogFile, 'inputs'>, folder: string): SampleValues => {
  const args: string[] = [];
  const env: Record<string, string> = {};
  const madeUp: string[] = [];
  for (const input of entry.inputs.filter((one) => one.required)) {
    const value = `${input.prefix ?? ''}${valueOf(input, folder)}`;
    if (input.default === undefined && input.choices === undefined) madeUp.push(input.name);
    if (input.target === 'env') env[input.name] = value;
    if (input.target === 'arg') args.push(...(input.name.startsWith('-') && input.prefix === undefined ? [input.name] : []), value);
  }
  const optional = entry.inputs.filter((one) => !one.required && !one.secret && one.target === 'env' && one.format === 'string' && one.choices === undefined);
  return { args, env, madeUp, optionalEnv: Object.fromEntries(optional.map(({ name }) => [name, `other-${name.toLowerCase()}`])) };
};

const valueOf = (input: MarketInput, folder: string): string => {
  if (input.format === 'directory') return folder;
  if (input.format === 'file') {
    const path = join(folder, `sample-${input.name.replaceAll(/[^a-z0-9]/gi, '')}`);
    writeFileSync(path, SAMPLE_FILES[input.name] ?? '{}');
    return path;
  }
  return input.default ?? input.choices?.[0] ?? input.placeholder ?? 'made-up';
};
