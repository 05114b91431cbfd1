// Plain JavaScript: `npm run gantry` reads it on whatever Node the machine has, before anything is installed.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, pinnedNode } from './setup.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const command = join(root, 'main', 'command.ts');

const run = async () => {
  await ensureInstalled({ root, log: (line) => void process.stderr.write(`${line}\n`) });
  if (process.features.typescript) return void (await import('../command.ts'));
  const child = spawn(pinnedNode(root), [command, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
};

run().catch((error) => {
  const message = `Gantry could not set itself up: ${error instanceof Error ? error.message : String(error)}`;
  process.stdout.write(`${JSON.stringify({ ok: false, error: { code: 'install_failed', message, remedy: 'Run npm start once where the package registry can be reached.' } })}\n`, () => process.exit(1));
});
