/**
 * Checks the built-in catalog against the real thing: installs each entry into an empty data folder, starts it, reads its tools.
 * `node main/market/verify-catalog.ts [--write] [id...]`: with --write, the outcome goes into the entries (verified, checkedAt, fingerprints of reviewed tools).
 * Needs the package registry. Ends with exit code 1 where an entry could not be connected or a reviewed tool is missing or has changed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MarketEntry } from '../../shared/market.ts';
import { definitionFingerprint } from '../capabilities/fingerprint.ts';
import { systemClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { Catalog } from './catalog.ts';
import { Installer } from './installer.ts';
import { openProbe } from './stdio-probe.ts';

const catalogDir = fileURLToPath(new URL('../../assets/catalog', import.meta.url));

interface Tool {
  readonly name: string;
  readonly _meta?: Record<string, unknown>;
}

interface Outcome {
  readonly id: string;
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly problem: string | null;
}

const fingerprintOf = (tool: Tool): string => {
  const { _meta, ...definition } = tool;
  const result = definitionFingerprint({ ...definition, ...(_meta === undefined ? {} : { meta: _meta }) });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

/** What a person would fill in: a folder for a folder, the default or placeholder for the rest. */
const sampleInputs = (entry: MarketEntry, folder: string): { readonly args: string[]; readonly env: Record<string, string> } => {
  const sample = { args: [] as string[], env: {} as Record<string, string> };
  for (const input of entry.inputs.filter((one) => one.required)) {
    const value = input.format === 'directory' ? folder : (input.default ?? input.placeholder ?? 'sample');
    if (input.target === 'arg') sample.args.push(value);
    if (input.target === 'env') sample.env[input.name] = value;
  }
  return sample;
};

const readTools = async (entry: MarketEntry, program: string, dataDir: string): Promise<readonly Tool[]> => {
  const home = join(dataDir, 'homes', entry.id);
  mkdirSync(home, { recursive: true });
  const sample = sampleInputs(entry, home);
  const args = [program, ...(entry.spec.kind === 'npm' ? (entry.spec.args ?? []) : []), ...sample.args];
  const probe = openProbe({ command: process.execPath, args, cwd: home, env: { PATH: process.env['PATH'] ?? '', HOME: home, ...sample.env } });
  try {
    const hello = await probe.request('initialize', { protocolVersion: '2025-11-25', capabilities: { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } }, clientInfo: { name: 'gantry-catalog', version: '1' } });
    if (hello.error) throw new Error(hello.error.message);
    probe.notify('notifications/initialized');
    // some servers add tools once they know what the client can do
    await new Promise((resolve) => setTimeout(resolve, 500));
    const tools: Tool[] = [];
    for (let cursor: unknown; ; ) {
      const page = await probe.request('tools/list', cursor === undefined ? {} : { cursor });
      if (page.error) throw new Error(page.error.message);
      tools.push(...((page.result?.['tools'] ?? []) as Tool[]));
      cursor = page.result?.['nextCursor'];
      if (typeof cursor !== 'string') return tools;
    }
  } finally {
    await probe.close();
  }
};

const verifyEntry = async (entry: MarketEntry): Promise<Outcome> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-catalog-'));
  try {
    const installed = await new Installer({ dataDir, clock: systemClock, log: silentLog }).install({ serverId: entry.id, spec: entry.spec });
    if (!installed.ok) return { id: entry.id, version: '', tools: [], problem: `${installed.error.code}: ${installed.error.message}` };
    const tools = await readTools(entry, installed.value.entry, dataDir);
    const reviewed = entry.reviewedTools.map((review) => ({ review, tool: tools.find((tool) => tool.name === review.name) }));
    const missing = reviewed.filter(({ tool }) => tool === undefined).map(({ review }) => review.name);
    const moved = reviewed.filter(({ review, tool }) => tool && review.definitionFingerprint !== undefined && review.definitionFingerprint !== fingerprintOf(tool)).map(({ review }) => review.name);
    const problem = missing.length > 0 ? `reviewed tools missing: ${missing.join(', ')}` : moved.length > 0 ? `reviewed tools changed: ${moved.join(', ')}` : null;
    return { id: entry.id, version: installed.value.version, tools, problem };
  } catch (error) {
    return { id: entry.id, version: '', tools: [], problem: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const writeOutcome = (entry: MarketEntry, outcome: Outcome): void => {
  const path = join(catalogDir, `${entry.id}.json`);
  const file = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const reviewedTools = entry.reviewedTools.map((review) => {
    const tool = outcome.tools.find((one) => one.name === review.name);
    return tool ? { ...review, definitionFingerprint: fingerprintOf(tool) } : review;
  });
  const verified = outcome.tools.length > 0 && !outcome.problem?.includes('missing');
  writeFileSync(path, `${JSON.stringify({ ...file, verified, checkedAt: new Date(systemClock.now()).toISOString().slice(0, 10), reviewedTools }, null, 2)}\n`);
};

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const write = process.argv.includes('--write');
const catalog = new Catalog({ dir: catalogDir });
const outcomes: Outcome[] = [];
for (const entry of catalog.search('').filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
  const outcome = await verifyEntry(entry);
  outcomes.push(outcome);
  if (write) writeOutcome(entry, outcome);
  process.stdout.write(`${outcome.problem === null ? 'ok  ' : 'FAIL'} ${entry.id} ${outcome.version} ${outcome.tools.length} tools ${outcome.problem ?? ''}\n`);
  if (process.argv.includes('--names')) process.stdout.write(`     ${outcome.tools.map((tool) => tool.name).join(' ')}\n`);
}
for (const { file, reason } of catalog.problems) process.stdout.write(`FAIL ${file} ${reason}\n`);
process.exitCode = catalog.problems.length > 0 || outcomes.some(({ problem }) => problem !== null) ? 1 : 0;
