import { parentPort } from 'node:worker_threads';
import { AjvEngine } from './ajv-engine.ts';
import { examineSchemas, type SchemaPair } from './schema-examination.ts';

const engine = new AjvEngine();
parentPort?.on('message', ({ id, pair }: { readonly id: number; readonly pair: SchemaPair }) => {
  const state = examineSchemas(pair, engine);
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ id, state, usedMs: (user + system) / 1000 });
});
