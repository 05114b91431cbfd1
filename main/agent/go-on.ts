import { z } from 'zod';
import { RunLimitsSchema, ScopeSchema, type RunLimits, type Scope } from '../../shared/agent-profile.ts';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { agentRunsOf, agentRunsPage } from '../store/agent-runs.ts';
import type { ReadDb } from '../store/database.ts';
import { eventPage, toEvent } from '../store/events.ts';
import { invocationsOfRun, type InvocationRow } from '../store/invocations.ts';
import { getModel } from '../store/models.ts';
import { getRun } from '../store/runs.ts';
import { shownLine } from './shown-line.ts';

/** A question that was cut, and what its model is to be told when it is asked on. */
export interface CutQuestion {
  readonly conversationId: string;
  readonly profileId: string;
  /** undefined: it is configured no more */
  readonly model: string | undefined;
  /** never wider than it was */
  readonly scope: Scope | undefined;
  readonly limits: RunLimits | undefined;
  readonly goesOn: GoesOn;
}

/** In the evidence of the run that goes on. `asked`: the words of the person that it is all about; `told`: what its model was told of how far the other came. */
export interface GoesOn {
  readonly runId: string;
  readonly asked: string;
  readonly told: string;
}

/** What lists call a run that goes on: the words that asked for it, in their language, and the question that it is about. */
export const titleOfGoingOn = (words: string, { asked }: Pick<GoesOn, 'asked'>): string => {
  const said = words.trim();
  return /[。！]$/.test(said) ? `${said.slice(0, -1)}：${asked}` : `${said.replace(/[.!]$/, '')}: ${asked}`;
};

const Prompt = z.object({ prompt: z.string(), scope: ScopeSchema.optional(), limits: RunLimitsSchema.optional(), goesOn: z.object({ asked: z.string() }).optional() });

/** Calls that are named, of each kind. */
const MOST_NAMED = 40;

type Standing = 'finished' | 'failed' | 'unknown' | 'notMade';

const standingOf = ({ state, class: outcome }: InvocationRow): Standing => {
  if (state === 'completed') return 'finished';
  if (outcome === 'outcome_unknown' || outcome === 'pending') return 'unknown';
  return outcome === 'not_sent' || outcome === 'unavailable' ? 'notMade' : 'failed';
};

const WORDS: Readonly<Record<Standing, string>> = {
  finished: 'finished; their results stand above or can be read',
  failed: 'ended without a result',
  unknown: 'nobody knows whether they took effect: look first, and do not repeat them before that',
  notMade: 'not made; nothing was sent',
};

const namesOf = (rows: readonly InvocationRow[]): string => {
  const counted = new Map<string, number>();
  for (const { capabilityId } of rows) {
    const named = parseCapabilityId(capabilityId);
    const name = named === null ? capabilityId : `${named.serverId}: ${named.name}`;
    counted.set(name, (counted.get(name) ?? 0) + 1);
  }
  const names = [...counted].map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`));
  return shownLine([...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : [])]).text;
};

/** How far a run came, in the host's words; names of tools are its servers'. */
export const toldOfCut = (code: string | null, calls: readonly InvocationRow[]): string => {
  const by = Map.groupBy(calls, standingOf);
  const lines = (['finished', 'unknown', 'failed', 'notMade'] as const).flatMap((standing) => {
    const rows = by.get(standing) ?? [];
    return rows.length === 0 ? [] : [`Calls ${WORDS[standing]}: ${namesOf(rows)}`];
  });
  const why = code === 'interrupted' ? 'Gantry ended while it was being answered' : `it ended before its answer (${code ?? 'unknown'})`;
  return [`(Gantry, not a person: the question before this one was cut off, since ${why}. The person asks you to go on with it.`, ...(lines.length === 0 ? ['It had made no call.'] : lines), 'Use what is finished, and call again only what is still needed. Nothing was sent again meanwhile.)'].join('\n');
};

/**
 * Whether this run can be gone on with, and what that takes. Errors: not_found (no run of the agent, or its conversation or record is gone), conflict with details.state: `running`, `awaiting_approval` (it has not ended),
 * `completed`, `passed` (a later question was asked: also where somebody goes on with it already).
 */
export const cutQuestion = (db: ReadDb, runId: string): Result<CutQuestion, Fault> => {
  const run = getRun(db, runId);
  const row = agentRunsOf(db, [runId]).get(runId);
  const field = '/runId';
  if (run?.kind !== 'agent' || row === undefined || row.conversationId === null) return err(fault('not_found', 'There is no such run of the agent in a conversation.', { field }));
  const conflict = (state: string, message: string, remedy: string): Result<never, Fault> => err(fault('conflict', message, { field, remedy, details: { state } }));
  if (run.endedAt === null) return conflict(run.state, 'This question has not ended yet.', 'Decide what waits, wait for its end, or stop it.');
  if (run.state === 'completed') return conflict('completed', 'This question was answered.', 'Ask on in the conversation.');
  if (agentRunsPage(db, row.conversationId, { limit: 1 }).rows[0]?.runId !== runId) return conflict('passed', 'A later question of this conversation was asked already.', 'Look at the end of the conversation.');
  const read = Prompt.safeParse(eventPage(db, runId, { types: ['run.prompt'], offset: 0, limit: 1 }).rows.map(toEvent)[0]?.data);
  if (!read.success) return err(fault('not_found', 'The record of this question is gone.', { field }));
  const { prompt, scope, limits, goesOn } = read.data;
  return ok({
    conversationId: row.conversationId, profileId: row.profileId, model: row.modelId !== null && getModel(db, row.modelId) !== null ? row.modelId : undefined, scope, limits,
    goesOn: { runId, asked: goesOn?.asked ?? prompt, told: toldOfCut(run.code, invocationsOfRun(db, runId)) },
  });
};
