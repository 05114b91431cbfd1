// Plain JavaScript: `npm start` reads it on whatever Node the machine has, before anything is installed.
import { parseArgs } from 'node:util';

export const START_HELP = `Gantry: a market of MCP apps and a local agent host

  npm start -- [options]

  --data-dir <folder>        where Gantry keeps its data (or GANTRY_DATA_DIR)
  --port <number>            port of the loopback shell on 127.0.0.1 (0 or absent: any free one)
  --lang <en|zh|system>      language of the window
  --approvals <window|script>  script: the gantry command may decide approvals too (for tests; on record)
  --no-open, --headless      no window: prints the address and runs until it is stopped
  --shell <auto|electron|loopback>
  --help
`;

const choices = { lang: ['en', 'zh', 'system'], approvals: ['window', 'script'], shell: ['auto', 'electron', 'loopback'] };

/**
 * The one grammar of the start options, for start.mjs, serve.ts and electron.ts.
 * @param {readonly string[]} argv without node and script
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {import('./start-options.mjs').ParsedStart}
 */
export const parseStartOptions = (argv, env) => {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        'data-dir': { type: 'string' },
        port: { type: 'string' },
        lang: { type: 'string' },
        approvals: { type: 'string' },
        'no-open': { type: 'boolean' },
        headless: { type: 'boolean' },
        shell: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  for (const [name, allowed] of Object.entries(choices)) {
    const given = values[name];
    if (given !== undefined && !allowed.includes(given)) return { ok: false, message: `--${name} is one of ${allowed.join(', ')}, not ${given}` };
  }
  const port = values.port === undefined ? 0 : Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || values.port === '') return { ok: false, message: `--port is a number from 0 to 65535, not ${values.port}` };
  const open = !(values['no-open'] || values.headless);
  if (!open && values.shell === 'electron') return { ok: false, message: '--no-open has no window, so it cannot be the electron shell' };
  return {
    ok: true,
    options: {
      dataDir: values['data-dir'] || env['GANTRY_DATA_DIR'] || undefined,
      port,
      language: values.lang,
      approvals: values.approvals ?? 'window',
      open,
      shell: open ? (values.shell ?? 'auto') : 'loopback',
      help: values.help ?? false,
    },
  };
};
