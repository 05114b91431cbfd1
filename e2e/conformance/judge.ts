import { readFileSync } from 'node:fs';
import type { Played, Revision, Scenario } from './referee.ts';

/** Scenarios that are known not to pass yet, with the reason. `checks`: exactly these fail, where it is not left open. */
export interface NotYet {
  readonly scenarios: readonly string[];
  readonly because: string;
  readonly checks?: readonly string[];
}

export const readNotYet = (revision: Revision): NotYet[] => (JSON.parse(readFileSync(new URL('./not-yet.json', import.meta.url), 'utf8')) as Record<Revision, NotYet[]>)[revision];

export interface Verdict {
  readonly name: string;
  readonly outcome: 'passed' | 'not_yet' | 'unexpected_failure' | 'unexpected_pass';
  readonly why: string;
}

const judgeOne = (played: Played, known: NotYet | undefined): Verdict => {
  const { name, passed, failing, clientEnded } = played;
  if (passed) return known === undefined ? { name, outcome: 'passed', why: '' } : { name, outcome: 'unexpected_pass', why: `it is listed as not passing yet (${known.because}): take it off the list` };
  if (!clientEnded) return { name, outcome: 'unexpected_failure', why: `the client did not come to its end:\n${played.words.slice(0, 4000)}` };
  const failed = failing.length === 0 ? 'no check failed, and the referee was not content' : `failing: ${failing.join(', ')}`;
  if (known === undefined) return { name, outcome: 'unexpected_failure', why: failed };
  const { checks } = known;
  if (checks === undefined || (checks.length === failing.length && failing.every((id) => checks.includes(id)))) return { name, outcome: 'not_yet', why: known.because };
  return { name, outcome: 'unexpected_failure', why: `${failed}; listed as failing: ${checks.join(', ')}` };
};

/** Each scenario played against the list; a listed name that the revision does not have, or that stands there twice, is a failure too. */
export const judge = (played: readonly Played[], notYet: readonly NotYet[], all: readonly Scenario[]): Verdict[] => {
  const listed = notYet.flatMap(({ scenarios }) => scenarios);
  const stray = listed.filter((name, i) => listed.indexOf(name) !== i || !all.some((scenario) => scenario.name === name));
  return [
    ...played.map((one) => judgeOne(one, notYet.find(({ scenarios }) => scenarios.includes(one.name)))),
    ...stray.map((name): Verdict => ({ name, outcome: 'unexpected_failure', why: 'it is listed twice, or the revision has no such scenario' })),
  ];
};

export const isExpected = ({ outcome }: Verdict): boolean => outcome === 'passed' || outcome === 'not_yet';
