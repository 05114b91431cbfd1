import { fault, type Fault } from '../shared/fault.ts';
import { err, type Result } from '../shared/result.ts';
import { COMMAND_HELP, parseCommand } from './shell/command-options.ts';
import { runCommand } from './shell/run-command.ts';

/** stdout carries the one line of the answer and nothing else: whatever a library prints goes to stderr. */
for (const level of ['log', 'info', 'debug'] as const) console[level] = console.error;

const readAll = async (stream: NodeJS.ReadStream): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

const finish = (text: string, code: 0 | 1): void => void process.stdout.write(text, () => process.exit(code));

const answer = (result: Result<unknown, Fault>): void => finish(`${JSON.stringify(result.ok ? { ok: true, value: result.value ?? {} } : { ok: false, error: result.error })}\n`, result.ok ? 0 : 1);

const parsed = await parseCommand(process.argv.slice(2), process.env, () => readAll(process.stdin));
if (!parsed.ok) answer(parsed);
else if (parsed.value.kind === 'help') finish(COMMAND_HELP, 0);
else {
  answer(
    await runCommand(parsed.value).catch((error: unknown) =>
      err(fault('internal', error instanceof Error ? error.message : String(error), { remedy: 'The log file in the data folder may say more.' })),
    ),
  );
}
