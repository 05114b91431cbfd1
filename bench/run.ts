import { cpus, loadavg, totalmem } from 'node:os';
import { CONDITIONS, benchCallOverhead } from './call-overhead.ts';
import { benchLists } from './lists.ts';
import { benchLongConversation } from './long-conversation.ts';
import { benchMarket } from './market.ts';
import { benchParallelServers } from './parallel-servers.ts';
import { benchSchemas } from './schemas.ts';
import { benchSelection } from './selection.ts';
import { benchStart } from './start.ts';
import { printTable, type Row } from './table.ts';
import { benchThreadBlocks } from './thread-blocks.ts';

const SUITES = { calls: benchCallOverhead, start: benchStart, servers: benchParallelServers, blocks: benchThreadBlocks, market: benchMarket, lists: benchLists, schemas: benchSchemas, selection: benchSelection, conversation: benchLongConversation } as const;

const json = process.argv.includes('--json');
const only = process.argv.find((a) => a.startsWith('--only='))?.slice('--only='.length);
if (only !== undefined && !Object.hasOwn(SUITES, only)) {
  process.stderr.write(`There is nothing called ${JSON.stringify(only)} to measure. Give --only= one of ${Object.keys(SUITES).join(', ')}.\n`);
  process.exit(2);
}
const rows: Row[] = [];
for (const [name, suite] of Object.entries(SUITES)) {
  if (only && only !== name) continue;
  if (!json) process.stderr.write(`measuring ${name} ...\n`);
  rows.push(...(await suite()));
}
if (json) {
  process.stdout.write(`${JSON.stringify(rows)}\n`);
} else {
  process.stdout.write(`${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.versions.node}, ${process.platform} ${process.arch}, load ${loadavg()[0]?.toFixed(1)}\n${CONDITIONS}\n\n${printTable(rows)}\n`);
}
process.exit(0);
