// `npm run conformance -- client 2025-11-25|2026-07-28 [scenario ...]`: the official suite against Gantry's own connection code (docs/spec/conformance.md). A scenario may be the beginning of several names.
import { availableParallelism } from 'node:os';
import { isExpected, judge, readNotYet, type Verdict } from './judge.ts';
import { playAll, REVISIONS, scenariosOf, type Revision, type Scenario } from './referee.ts';

const USAGE = `usage: npm run conformance -- client ${REVISIONS.join('|')} [scenario ...]`;
const SIGNS: Readonly<Record<Verdict['outcome'], string>> = { passed: 'passed', not_yet: 'not yet', unexpected_failure: 'FAILED', unexpected_pass: 'PASSED, UNEXPECTEDLY' };

const count = (verdicts: readonly Verdict[], scenarios: readonly Scenario[]): string => {
  const among = (outcome: Verdict['outcome']): number => verdicts.filter((one) => one.outcome === outcome && scenarios.some(({ name }) => name === one.name)).length;
  return `${among('passed')} of ${scenarios.length} passed, ${among('not_yet')} not yet`;
};

const main = async ([role, given, ...wanted]: readonly string[]): Promise<number> => {
  const revision = REVISIONS.find((one) => one === given) as Revision | undefined;
  if (role !== 'client' || revision === undefined) {
    console.error(USAGE);
    return 2;
  }
  const all = scenariosOf(revision);
  const chosen = wanted.length === 0 ? all : all.filter(({ name }) => wanted.some((start) => name.startsWith(start)));
  if (chosen.length === 0) {
    console.error(`The revision has no such scenario. It has: ${all.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  const notYet = readNotYet(revision);
  const show = (one: Verdict): void => console.log(`${SIGNS[one.outcome].padEnd(9)} ${one.name}${one.why === '' ? '' : `: ${one.why}`}`);
  const played = await playAll(chosen.map(({ name }) => name), revision, Math.min(4, availableParallelism()), (one) => console.error(`[conformance] ${one.name}`));
  const verdicts = judge(played, notYet, all);
  verdicts.forEach(show);
  const scored = chosen.filter(({ notScored }) => notScored === null);
  const rest = chosen.filter(({ notScored }) => notScored !== null);
  const odd = verdicts.filter((one) => !isExpected(one)).length;
  console.log(`client ${revision}: scored ${count(verdicts, scored)}; not scored ${count(verdicts, rest)}; ${odd} unexpected`);
  return odd === 0 ? 0 : 1;
};

process.exitCode = await main(process.argv.slice(2));
