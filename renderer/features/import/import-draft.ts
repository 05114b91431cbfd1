import type { AskAnswer, ImportAs, ImportAsk, ImportPick, ImportServer, ImportValue } from '../../../shared/import.ts';

/** What a person has decided about one server so far. */
export interface ServerDraft {
  readonly picked: boolean;
  readonly as: ImportAs | null;
  readonly onConflict: 'keep_both' | 'replace' | null;
  readonly secret: Readonly<Record<string, boolean>>;
  readonly answers: Readonly<Record<string, AskDraft>>;
  readonly dangerous: readonly string[];
}

export interface AskDraft {
  readonly use: AskAnswer['use'] | null;
  readonly value: string;
}

export type Drafts = Readonly<Record<string, ServerDraft>>;

/** Picked are those that are new and need no second look; where only one was read, it. Nothing is answered beforehand. */
export const draftsOf = (servers: readonly ImportServer[]): Drafts =>
  Object.fromEntries(
    servers.map((server) => [
      server.key,
      { picked: server.fault === null && (server.suggested || (servers.length === 1 && server.existing.length === 0)), as: server.launches[0]?.as ?? null, onConflict: null, secret: {}, answers: Object.fromEntries(server.asks.map((ask) => [ask.name, firstAnswer(ask)])), dangerous: [] },
    ]),
  );

/** A variable is never allowed beforehand; a value that is asked for is to be typed. */
const firstAnswer = (ask: ImportAsk): AskDraft => ({ use: ask.kind === 'variable' ? null : ask.kind === 'input' && ask.default !== null ? 'default' : 'value', value: '' });

const launchOf = (server: ImportServer, draft: ServerDraft) => server.launches.find((one) => one.as === draft.as) ?? server.launches[0];

/** The values that come over with the chosen launch. */
export const valuesOf = (server: ImportServer, draft: ServerDraft): readonly ImportValue[] => {
  const launch = launchOf(server, draft);
  if (launch === undefined) return server.values.filter((value) => !value.place.startsWith('written.'));
  if (launch.as === 'http') return server.values.filter((value) => value.place === 'url' || value.place.startsWith('url.') || value.place.startsWith('header.'));
  return server.values.filter((value) => value.place.startsWith('env.') || launch.args.includes(value.place) || (value.place === 'cwd' && launch.as !== 'npm') || (value.place === 'command' && launch.as === 'command'));
};

export const asksOf = (server: ImportServer, draft: ServerDraft): readonly ImportAsk[] => {
  const names = new Set(valuesOf(server, draft).flatMap((value) => value.asks));
  return server.asks.filter((ask) => names.has(ask.name));
};

/** What still has to be decided: names of asks, and `existing` where the same one is here. */
export const openOf = (server: ImportServer, draft: ServerDraft): readonly string[] => [
  ...(server.existing.length > 0 && draft.onConflict === null ? ['existing'] : []),
  ...asksOf(server, draft).filter((ask) => {
    const answer = draft.answers[ask.name];
    return answer === undefined || answer.use === null || (answer.use === 'value' && answer.value === '' && ask.required);
  }).map((ask) => ask.name),
];

const answerOf = (ask: ImportAsk, draft: AskDraft): AskAnswer | null => {
  if (draft.use === null || (draft.use === 'value' && draft.value === '')) return null;
  if (draft.use === 'value') return { use: 'value', value: ask.secret && !ask.fixed ? { secret: draft.value } : draft.value };
  return { use: draft.use };
};

/** What `import:apply` is asked with. */
export const pickOf = (server: ImportServer, draft: ServerDraft): ImportPick => {
  const answers = asksOf(server, draft).flatMap((ask) => {
    const answer = answerOf(ask, draft.answers[ask.name] ?? { use: null, value: '' });
    return answer === null ? [] : [[ask.name, answer] as const];
  });
  return {
    key: server.key,
    ...(draft.as === null ? {} : { as: draft.as }),
    ...(draft.onConflict === null ? {} : { onConflict: draft.onConflict }),
    ...(Object.keys(draft.secret).length === 0 ? {} : { secret: { ...draft.secret } }),
    ...(answers.length === 0 ? {} : { answers: Object.fromEntries(answers) }),
    ...(draft.dangerous.length === 0 ? {} : { dangerous: [...draft.dangerous] }),
  };
};

/** Whether anything of it will be sealed, so that the secret store has to be open. */
export const sealsAnything = (server: ImportServer, draft: ServerDraft): boolean =>
  valuesOf(server, draft).some((value) => draft.secret[value.place] ?? value.secret) || asksOf(server, draft).some((ask) => ask.secret && draft.answers[ask.name]?.use === 'value');
