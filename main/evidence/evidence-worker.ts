import { parentPort, workerData } from 'node:worker_threads';
import { ok } from '../../shared/result.ts';
import { openReadOnly } from '../store/read-only.ts';
import type { ReadStore } from '../store/read-only.ts';
import type { EvidenceQuestion } from './evidence-lane.ts';
import { conversationPage, conversationSearch } from './conversation-pages.ts';
import { exportRun } from './export-run.ts';
import { readRun } from './read-runs.ts';
import { runCalls, runEvents, runHead, runsThatFit } from './run-pages.ts';
import { runSpans, SpanTrees } from './run-spans.ts';
import { partOfResult, sliceOfResult } from './result-parts.ts';
import { verifyRun } from './verify-run.ts';

const { path } = workerData as { readonly path: string };
let opened: ReadStore | null = null;
const trees = new SpanTrees();

const answer = async (question: EvidenceQuestion): Promise<unknown> => {
  const store = (opened ??= openReadOnly(path));
  switch (question.op) {
    case 'verify':
      return verifyRun(store, question.runId);
    case 'export':
      return exportRun(store, question.runId);
    case 'get':
      return readRun(store, question.runId);
    case 'spans':
      return runSpans(store, question.query.runId, question.query.since, trees);
    case 'conversation':
      return conversationPage(store, question.query);
    case 'conversations':
      return ok(conversationSearch(store, question.query));
    case 'head':
      return runHead(store, question.query);
    case 'list':
      return ok(runsThatFit(store, question.query));
    case 'calls':
      return runCalls(store, question.query);
    case 'events':
      return runEvents(store, question.query);
    case 'slice':
      return sliceOfResult(store, question.invocationId, question.offset);
    case 'part':
      return ok(partOfResult(store, question.wanted));
  }
};

parentPort!.on('message', (question: EvidenceQuestion) => {
  answer(question).then(
    (value) => parentPort!.postMessage({ answer: value }),
    (error: unknown) => parentPort!.postMessage({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
