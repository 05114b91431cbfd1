import { fault, type Fault } from '../../../shared/fault.ts';
import type { MarketEntry, MarketInput } from '../../../shared/market.ts';
import { beginsWithPlaceholder, isWholePath } from '../../../shared/whole-path.ts';
import { specArgs } from '../../servers/argument-places.ts';
import type { JudgedConfiguration } from './judge-launch.ts';

type Given = Pick<JudgedConfiguration, 'spec' | 'args' | 'env'>;
interface Place {
  readonly field: string;
  readonly text: string;
}

/** What is written in plain or as a new secret; a kept one was judged when it came. */
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : typeof value === 'object' && value !== null && 'secret' in value ? String(value.secret) : null);

/**
 * A market app that asks for a folder and is given one which depends on where it starts, or is to start in such a one (M69); null where every folder is whole or
 * begins with a placeholder. `place` as in `checkSpec`. Fault: `invalid_request`.
 */
export const relativeFolder = (entry: Pick<MarketEntry, 'name' | 'spec' | 'inputs'> | null, given: Given, place: '/spec' | ''): Fault | null => {
  if (entry === null) return null;
  const { spec } = given;
  if (spec.kind === 'command' && spec.cwd !== undefined && !/^~(?:[\\/]|$)/.test(spec.cwd) && isRelative(spec.cwd)) return refused(entry.name, { field: `${place}/cwd`, text: spec.cwd }, 'its working folder');
  const args = argumentsOf(given, place);
  for (const input of entry.inputs.filter(({ format }) => format === 'directory')) {
    const places = input.target === 'env' ? environmentPlace(given, input.name) : input.target === 'arg' ? argumentPlaces(entry, input, args) : [];
    const wrong = places.find(({ text }) => text.startsWith(input.prefix ?? '') && isRelative(text.slice(input.prefix?.length ?? 0)));
    if (wrong !== undefined) return refused(entry.name, wrong, input.label.en);
  }
  return null;
};

const isRelative = (path: string): boolean => path !== '' && !isWholePath(path) && !beginsWithPlaceholder(path);

const refused = (app: string, { field }: Place, what: string): Fault =>
  fault('invalid_request', `${app} is given a folder that depends on where it starts: ${what}`, { field, remedy: 'Give the folder with its whole path, such as /home/me/documents or C:\\documents. `~` is not expanded for a program.' });

const environmentPlace = ({ env }: Given, name: string): readonly Place[] => {
  const text = textOf(env?.[name]);
  return text === null ? [] : [{ field: `/env/${name}`, text }];
};

/** All arguments in their order, each with its field. In an update the arguments that are given replace those of the spec. */
const argumentsOf = ({ spec, args }: Given, place: '/spec' | ''): readonly Place[] => {
  const own = (args ?? []).map((arg, at) => ({ field: `/args/${at}`, text: textOf(arg) ?? '' }));
  return place === '' ? own : [...specArgs(spec).map((text, at) => ({ field: `${place}/args/${at}`, text })), ...own];
};

/** Where the values of an input stand: behind its flag, behind its prefix, or at the positions that no flag of the entry has. */
const argumentPlaces = (entry: Pick<MarketEntry, 'spec' | 'inputs'>, input: MarketInput, all: readonly Place[]): readonly Place[] => {
  const lead = specArgs(entry.spec);
  const args = lead.every((one, at) => all[at]?.text === one) ? all.slice(lead.length) : all;
  if (input.prefix !== undefined) return args.filter(({ text }) => text.startsWith(input.prefix!));
  if (input.name.startsWith('-')) {
    const inOne = `${input.name}=`;
    return args.flatMap((one, at) => (one.text === input.name ? args.slice(at + 1, at + 2) : one.text.startsWith(inOne) ? [{ ...one, text: one.text.slice(inOne.length) }] : []));
  }
  const flags = new Set(entry.inputs.filter(({ target, name, format, prefix }) => target === 'arg' && name.startsWith('-') && format !== 'boolean' && prefix === undefined).map(({ name }) => name));
  return args.filter(({ text }, at) => !text.startsWith('-') && !flags.has(args[at - 1]?.text ?? ''));
};
