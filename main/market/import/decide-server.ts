import { fault, type Fault } from '../../../shared/fault.ts';
import type { AskAnswer, ImportAs, ImportAsk, ImportLaunch, ImportPick } from '../../../shared/import.ts';
import { fillTemplate, holesOf, templateParts, type Filling } from '../../../shared/placeholders.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ArgumentInput, ConfigValueInput, PlaceholderInput, ServerSpec } from '../../../shared/server.ts';
import type { Prepared, RawValue } from './prepare-server.ts';
import { secretPartsOf } from './url-parts.ts';

/** What `servers:add` is asked with, for one imported server. */
export interface DecidedServer {
  readonly spec: ServerSpec;
  readonly name: string;
  readonly args: ArgumentInput[];
  readonly env: Record<string, ConfigValueInput>;
  readonly headers: Record<string, ConfigValueInput>;
  readonly placeholders: Record<string, PlaceholderInput> | undefined;
  readonly home: 'own' | 'user' | undefined;
}

export interface DecideContext {
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly separator: string;
}

const undecided = (message: string, details: Readonly<Record<string, unknown>>, field: string): Fault => fault('import_undecided', message, { field, remedy: 'Decide each of the named ones, then bring it in again.', details });

const automatic = (name: string, context: DecideContext): string | null => (name === 'userHome' ? context.home : name === '/' || name === 'pathSeparator' ? context.separator : null);

/** What a hole becomes: text now, a placeholder that is filled in at each start, or what is written there. */
type Outcome = { readonly text: string } | { readonly placeholder: PlaceholderInput } | { readonly literal: true };

const outcomeOf = (ask: ImportAsk, answer: AskAnswer | undefined, context: DecideContext): Outcome | Fault => {
  const missing = (): Fault => undecided(`${ask.variable ?? ask.name} has to be decided.`, { asks: [ask.name] }, `answers.${ask.name}`);
  if (answer === undefined) {
    if (ask.kind === 'input' && ask.default !== null) return { text: ask.default };
    if (ask.kind === 'input' && !ask.required) return { text: '' };
    return missing();
  }
  switch (answer.use) {
    case 'literal':
      return { literal: true };
    case 'default':
      return ask.default === null ? missing() : { text: ask.default };
    case 'value':
      if (typeof answer.value === 'string') return { text: answer.value };
      return ask.fixed ? { text: answer.value.secret } : { placeholder: { secret: answer.value.secret } };
    case 'host': {
      if (ask.variable === null) return missing();
      if (!ask.fixed) return { placeholder: { variable: ask.variable, secret: answer.secret ?? ask.secret } };
      const value = context.hostEnv[ask.variable];
      if (value !== undefined && value !== '') return { text: value };
      if (ask.default !== null) return { text: ask.default };
      return fault('variable_missing', `${ask.places[0] ?? 'it'} needs the variable ${ask.variable}, which is not set where Gantry runs.`, { field: ask.places[0] ?? ask.name, remedy: 'Give the value itself.', details: { variable: ask.variable } });
    }
  }
};

class Deciding {
  readonly placeholders: Record<string, PlaceholderInput> = Object.create(null) as Record<string, PlaceholderInput>;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #context: DecideContext;
  #usesTemplates = false;

  constructor(outcomes: ReadonlyMap<string, Outcome>, context: DecideContext) {
    for (const [name, outcome] of outcomes) this.#outcomes.set(name, outcome);
    this.#context = context;
  }

  /** True once any text holds a placeholder or an escape, so that `${` means something in all of them. */
  get templated(): boolean {
    return this.#usesTemplates || Object.keys(this.placeholders).length > 0;
  }

  /** The text as it is stored: what is known now is written out, what is filled in later stays a placeholder. */
  template(text: string): string {
    let stored = '';
    for (const part of templateParts(text)) {
      if (typeof part === 'string') {
        stored += this.#plain(part);
        continue;
      }
      const known = automatic(part.name, this.#context);
      const outcome = this.#outcomes.get(part.name);
      if (known !== null) stored += this.#plain(known);
      else if (outcome === undefined || 'literal' in outcome) stored += part.name.startsWith('blank:') ? this.#plain(part.name.slice(6)) : this.#plain(part.raw);
      else if ('text' in outcome) stored += outcome.text === '' && part.otherwise !== null ? this.template(part.otherwise) : this.#plain(outcome.text);
      else {
        this.placeholders[part.name] = outcome.placeholder;
        for (const inner of part.otherwise === null ? [] : holesOf(part.otherwise)) {
          const nested = this.#outcomes.get(inner);
          if (nested !== undefined && 'placeholder' in nested) this.placeholders[inner] = nested.placeholder;
        }
        stored += part.raw;
      }
    }
    return stored;
  }

  /** A piece of text in which nothing may be taken for a placeholder. */
  #plain(text: string): string {
    if (!text.includes('${')) return text;
    this.#usesTemplates = true;
    return text.replaceAll('${', () => '$${');
  }

  /** The text with all of it known now, for what is sealed or has to be fixed. Null where a variable has no value. */
  now(text: string): string | { readonly missing: string } {
    const filled = fillTemplate(text, (name): Filling => {
      const known = automatic(name, this.#context);
      if (known !== null) return known;
      const outcome = this.#outcomes.get(name);
      if (outcome === undefined || 'literal' in outcome) return null;
      if ('text' in outcome) return outcome.text;
      if ('secret' in outcome.placeholder && typeof outcome.placeholder.secret === 'string') return outcome.placeholder.secret;
      return ('variable' in outcome.placeholder ? this.#context.hostEnv[outcome.placeholder.variable] : undefined) ?? { missing: true };
    });
    return 'text' in filled ? filled.text.replace(/\$\{blank:([^}]*)\}/g, '$1') : filled;
  }
}

/** Placeholder names hold no braces. */
const holeName = (place: string): string => place.replace(/[{}$:]/g, '_');

/** Values that are asked for, need not be given and were not: they are left out. */
const isLeftOut = (value: RawValue, asks: readonly ImportAsk[], pick: ImportPick): boolean => {
  const parts = templateParts(value.text);
  const only = parts.length === 1 && typeof parts[0] === 'object' ? parts[0] : null;
  const ask = only === null ? undefined : asks.find((one) => one.name === only.name);
  return ask !== undefined && ask.kind === 'input' && !ask.required && ask.default === null && pick.answers?.[ask.name] === undefined && pick.values?.[value.place] === undefined;
};

const launchOf = (prepared: Prepared, as: ImportAs | undefined): ImportLaunch | null => (as === undefined ? (prepared.launches[0] ?? null) : (prepared.launches.find((one) => one.as === as) ?? null));

/**
 * One prepared server with a person's decisions, as it is to be added. Errors: import_unfit (with the source's own reason), import_undecided with the names of what is
 * open, variable_missing for what has to be fixed now, invalid_request.
 */
export const decideServer = (prepared: Prepared, pick: ImportPick, context: DecideContext): Result<DecidedServer, Fault> => {
  if (prepared.fault !== null) return err(prepared.fault);
  const launch = launchOf(prepared, pick.as);
  if (launch === null) return err(fault('invalid_request', `this server cannot come over as ${pick.as ?? 'anything'}`, { field: 'as', remedy: `It can as: ${prepared.launches.map((one) => one.as).join(', ')}.` }));
  const wanted = placesFor(prepared, launch);
  const values = prepared.values.filter((value) => wanted.has(value.place) && !(value.place.startsWith('env.') && prepared.dangerous.includes(value.name) && !(pick.dangerous ?? []).includes(value.name)));
  const overridden = new Set(Object.keys(pick.values ?? {}));
  const asks = prepared.asks.filter((ask) => values.some((value) => ask.places.includes(value.place) && !overridden.has(value.place)));
  const outcomes = new Map<string, Outcome>();
  const open: string[] = [];
  for (const ask of asks) {
    const outcome = outcomeOf(ask, pick.answers?.[ask.name], context);
    if (!('code' in outcome)) outcomes.set(ask.name, outcome);
    else if (outcome.code === 'import_undecided') open.push(ask.name);
    else return err(outcome);
  }
  if (open.length > 0) return err(undecided(`Not decided yet: ${open.map((name) => asks.find((ask) => ask.name === name)?.variable ?? name).join(', ')}.`, { asks: open }, `answers.${open[0]!}`));
  const deciding = new Deciding(outcomes, context);
  let missing: Fault | null = null;
  const noValue = (place: string, name: string): void => {
    const variable = asks.find((ask) => ask.name === name)?.variable ?? name;
    missing ??= fault('variable_missing', `${place} needs the variable ${variable}, which is not set where Gantry runs.`, { field: place, remedy: 'Give the value itself.', details: { variable } });
  };
  /** One value as it is stored: sealed whole, sealed behind a readable prefix, or as text. */
  const decided = (value: RawValue): ConfigValueInput => {
    const given = pick.values?.[value.place];
    if (given !== undefined) return typeof given === 'string' ? plainOf(deciding, given) : given;
    const secret = pick.secret?.[value.place] ?? value.why !== 'plain';
    if (!secret) return deciding.template(value.prefix + value.text);
    const now = deciding.now(value.text);
    if (typeof now !== 'string') {
      noValue(value.place, now.missing);
      return '';
    }
    if (now === '') return value.prefix;
    if (value.prefix === '') return { secret: now };
    const name = holeName(value.place);
    deciding.placeholders[name] = { secret: now };
    return `${plainOf(deciding, value.prefix)}\${${name}}`;
  };
  const fixed = (place: string): string | undefined => {
    const value = values.find((one) => one.place === place);
    if (value === undefined) return undefined;
    const given = pick.values?.[place];
    const now = typeof given === 'string' ? given : deciding.now(value.text);
    if (typeof now === 'string') return now;
    noValue(place, now.missing);
    return '';
  };
  const env: Record<string, ConfigValueInput> = Object.create(null) as Record<string, ConfigValueInput>;
  const headers: Record<string, ConfigValueInput> = Object.create(null) as Record<string, ConfigValueInput>;
  for (const value of values) {
    if (isLeftOut(value, prepared.asks, pick)) continue;
    if (value.place.startsWith('env.')) env[value.name] = decided(value);
    if (value.place.startsWith('header.')) headers[value.name] = decided(value);
  }
  const args = launch.as === 'http' ? [] : argumentsOf(launch.args.flatMap((place) => values.filter((value) => value.place === place)), prepared, pick, decided);
  const lead = args.findIndex((arg) => typeof arg !== 'string');
  const plain = args.slice(0, lead < 0 ? args.length : lead) as string[];
  const spec: Result<ServerSpec, Fault> = specOf(launch, plain, { command: launch.as === 'written' ? prepared.found.command! : fixed('command'), cwd: fixed('cwd'), url: launch.as === 'http' ? urlOf(values, pick, deciding, noValue) : undefined });
  if (missing !== null) return err(missing);
  if (!spec.ok) return spec;
  return ok({
    spec: spec.value,
    name: pick.name ?? prepared.name,
    args: lead < 0 ? [] : args.slice(lead),
    env: { ...env },
    headers: { ...headers },
    placeholders: deciding.templated ? { ...deciding.placeholders } : undefined,
    home: launch.as === 'http' ? undefined : (pick.home ?? (launch.as === 'npm' ? 'own' : 'user')),
  });
};

/** Text that a person typed holds no placeholder. */
const plainOf = (deciding: Deciding, text: string): string => (deciding.templated || text.includes('${') ? deciding.template(text.replaceAll('${', () => '$${')) : text);

const placesFor = (prepared: Prepared, launch: ImportLaunch): ReadonlySet<string> => {
  const kind = (place: string): boolean => {
    if (launch.as === 'http') return place === 'url' || place.startsWith('url.') || place.startsWith('header.');
    if (launch.as === 'written' && prepared.read.env.some(([name]) => place === `env.${name}`)) return false;
    return place.startsWith('env.') || (launch.as !== 'npm' && place === 'cwd') || (launch.as === 'command' && place === 'command') || launch.args.includes(place);
  };
  return new Set(prepared.values.map((value) => value.place).filter(kind));
};

/** An argument that may be left out takes its flag with it. */
const argumentsOf = (values: readonly RawValue[], prepared: Prepared, pick: ImportPick, decided: (value: RawValue) => ConfigValueInput): ArgumentInput[] => {
  const args: ArgumentInput[] = [];
  for (const value of values) {
    if (!isLeftOut(value, prepared.asks, pick)) args.push(decided(value));
    else if (typeof args.at(-1) === 'string' && (args.at(-1) as string).startsWith('-')) args.pop();
  }
  return args;
};

/** The address with its secret parts behind placeholders; its host is written out. */
const urlOf = (values: readonly RawValue[], pick: ImportPick, deciding: Deciding, noValue: (place: string, name: string) => void): string => {
  const given = pick.values?.['url'];
  if (typeof given === 'string') return plainOf(deciding, given);
  const text = values.find((value) => value.place === 'url')?.text ?? '';
  const from = /^[a-z]+:\/\/[^/?#]*/i.exec(text)?.[0].length ?? 0;
  const origin = deciding.now(text.slice(0, from));
  if (typeof origin !== 'string') noValue('url', origin.missing);
  let url = typeof origin === 'string' ? origin : '';
  let at = from;
  for (const part of secretPartsOf(text)) {
    url += deciding.template(text.slice(at, part.start));
    at = part.end;
    const other = pick.values?.[part.place];
    const secret = pick.secret?.[part.place] ?? typeof other !== 'string';
    const raw = other === undefined ? text.slice(part.start, part.end) : typeof other === 'string' ? other : other.secret;
    if (!secret) url += plainOf(deciding, raw);
    else {
      const name = holeName(part.place);
      deciding.placeholders[name] = { secret: raw };
      url += `\${${name}}`;
    }
  }
  return url + deciding.template(text.slice(at));
};

const specOf = (launch: ImportLaunch, args: readonly string[], fixed: { readonly command: string | undefined; readonly cwd: string | undefined; readonly url: string | undefined }): Result<ServerSpec, Fault> => {
  const withArgs = args.length > 0 ? { args: [...args] } : {};
  switch (launch.as) {
    case 'npm':
      return ok({ kind: 'npm', package: launch.package, ...(launch.version === null ? {} : { version: launch.version }), ...withArgs });
    case 'http':
      return ok({ kind: 'http', url: fixed.url ?? launch.url });
    case 'command':
    case 'written':
      if (fixed.command === undefined || fixed.command === '') return err(fault('invalid_request', 'the command is empty', { field: 'command', remedy: 'Give the program to start.' }));
      return ok({ kind: 'command', command: fixed.command, ...withArgs, ...(fixed.cwd === undefined || fixed.cwd === '' ? {} : { cwd: fixed.cwd }) });
  }
};
