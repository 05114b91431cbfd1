import type { Argument, ArgumentInput } from '../../../shared/server.ts';

/** One argument while it is being written. `kept` is the reference of a sealed one that stays: it is not shown, only replaced or removed. */
export interface DraftArgument {
  readonly key: number;
  readonly value: string;
  readonly secret: boolean;
  readonly kept: string | null;
}

/** Text, one argument a line, as long as none is secret; else a row for each. */
export interface DraftArguments {
  readonly argsText: string;
  readonly argRows: readonly DraftArgument[] | null;
}

/** The lines of a text as arguments; a last empty line is none, an empty line in between is an empty argument. */
export const argsOf = (text: string): string[] => {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  while (lines.at(-1) === '') lines.pop();
  return lines;
};

let nextKey = 1;
export const newArgument = (value: string, secret: boolean, kept: string | null = null): DraftArgument => ({ key: nextKey++, value, secret, kept });

export const draftArguments = (args: readonly Argument[]): DraftArguments =>
  args.every((arg) => typeof arg === 'string')
    ? { argsText: args.join('\n'), argRows: null }
    : { argsText: '', argRows: args.map((arg) => (typeof arg === 'string' ? newArgument(arg, false) : newArgument('', true, arg.secretRef))) };

/** Turns the lines into rows, so that a secret can stand among them. */
export const asRows = (draft: DraftArguments): readonly DraftArgument[] => draft.argRows ?? argsOf(draft.argsText).map((line) => newArgument(line, false));

type Written = ArgumentInput | { readonly secretRef: string };

/** What is sent: text, a new secret, or the reference of one that stays. */
export const writtenArguments = (draft: DraftArguments): readonly Written[] =>
  draft.argRows === null ? argsOf(draft.argsText) : draft.argRows.map((row) => (row.kept !== null ? { secretRef: row.kept } : row.secret ? { secret: row.value } : row.value));

/** A secret row that has no value yet. */
export const hasEmptySecret = (draft: DraftArguments): boolean => (draft.argRows ?? []).some((row) => row.secret && row.kept === null && row.value === '');

/** What changed, for `servers:update`; null when nothing did. */
export const changedArguments = (before: readonly Argument[], draft: DraftArguments): Written[] | null => {
  const now = writtenArguments(draft);
  return JSON.stringify(now) === JSON.stringify(before) ? null : [...now];
};
