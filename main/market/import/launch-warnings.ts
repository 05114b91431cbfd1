import type { ImportServer } from '../../../shared/import.ts';
import type { Prepared } from './prepare-server.ts';
import { KNOWN_LAUNCHERS, programOf } from './read-launcher.ts';
import { handsLineToShell, isShell, packageAddressAt } from './shell-line.ts';

type Warning = ImportServer['warnings'][number];

const INLINE: Readonly<Record<string, RegExp>> = {
  awk: /^(?!-[fvF])[^-]/, gawk: /^(?!-[fvF])[^-]/, lua: /^-e/, tsx: /^(-e|--eval|-r|--require|--import)(=|$)/, rscript: /^-e/,
  node: /^(-e|--eval|-p|--print|--import|-r|--require)(=|$)/, bun: /^(-e|--eval)$/, deno: /^eval$/, python: /^-c/, python3: /^-c/, py: /^-c/, ruby: /^-e/, perl: /^-[eE]/, php: /^-r/,
};
/** Format, control and separator characters, and the tag characters beyond the first plane. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{E0000}-\u{E007F}]/u;
const REMOTE_LOCAL = /^http:\/\/(127\.|localhost([:/]|$)|\[::1\])/i;

const containerWarnings = (args: readonly string[]): Warning[] => {
  const warnings: Warning[] = [];
  for (const [at, arg] of args.entries()) {
    const before = args[at - 1] ?? '';
    const mount = /^(-v|--volume|--mount)$/.test(before) ? arg : /^(?:--volume|--mount|-v)=?(.+)/.exec(arg)?.[1];
    if (mount !== undefined && !(arg === '-v' || arg === '--volume' || arg === '--mount')) warnings.push({ code: 'container_mount', detail: mount });
    if (/^--privileged(=true)?$|^--cap-add|^--pid=host$|^--security-opt/.test(arg) || /^(--net|--network)=host$/.test(arg) || (/^(--net|--network|--pid)$/.test(before) && arg === 'host')) warnings.push({ code: 'container_privileged', detail: arg });
  }
  return warnings;
};

/** What deserves a second look before it comes over. Details hold no value that counts as a secret. */
export const warningsFor = ({ found, read, name, values, unread }: Prepared): Warning[] => {
  const warnings: Warning[] = [];
  const plain = (place: string): string | null => {
    const value = values.find((one) => one.place === place);
    return value === undefined || value.why !== 'plain' ? null : value.text;
  };
  if (read.split) warnings.push({ code: 'command_split', detail: found.command ?? '' });
  if (read.unwrapped) warnings.push({ code: 'wrapper_removed', detail: found.command ?? '' });
  if (found.command !== null) {
    const program = programOf(read.command);
    if (isShell(program) || handsLineToShell(read.command, read.args)) warnings.push({ code: 'shell', detail: read.command });
    else if (!KNOWN_LAUNCHERS.has(program)) warnings.push({ code: 'unknown_launcher', detail: read.command });
    // the interpreter may stand behind a launcher: `uv run python -c`, `npx tsx -e`
    const inline: RegExp[] = [];
    for (const [at, word] of [read.command, ...read.args].entries()) {
      if (inline.at(-1)?.test(word)) warnings.push({ code: 'inline_code', detail: `arg.${at}` });
      const interpreter = programOf(word).replace(/^(python|pypy|node|lua)(js)?[\d.]*$/, '$1');
      if (Object.hasOwn(INLINE, interpreter)) inline.push(INLINE[interpreter]!);
    }
    const address = packageAddressAt(read.command, read.args);
    if (address !== null) warnings.push({ code: 'package_address', detail: plain(`arg.${address + 1}`) ?? '••••' });
    if (program === 'docker' || program === 'podman') warnings.push(...containerWarnings(read.args).map((one) => ({ ...one, detail: read.args.some((arg, at) => arg === one.detail && plain(`arg.${at + 1}`) === null) ? '••••' : one.detail })));
    if (/^\.{1,2}[\\/]/.test(read.command)) warnings.push({ code: 'relative_path', detail: read.command });
    for (const [at, arg] of read.args.entries()) {
      if (/[;|`]|\$\(|&&/.test(arg) && !/^https?:/i.test(arg) && plain(`arg.${at + 1}`) !== null) warnings.push({ code: 'shell_characters', detail: `arg.${at + 1}` });
    }
  }
  for (const value of values) {
    if (HIDDEN.test(value.text)) warnings.push({ code: 'hidden_characters', detail: value.place });
    if (/\s{12,}/.test(value.text)) warnings.push({ code: 'padding', detail: value.place });
  }
  if (HIDDEN.test(name)) warnings.push({ code: 'hidden_characters', detail: 'name' });
  if (found.url !== null && /^http:/i.test(found.url) && !REMOTE_LOCAL.test(found.url)) warnings.push({ code: 'plain_http', detail: found.url.split(/[?#]/)[0]!.replace(/^(http:\/\/[^/]*).*/i, '$1') });
  if (unread.some((one) => one.reason === 'env_file')) warnings.push({ code: 'env_file', detail: unread.find((one) => one.reason === 'env_file')!.path.join('.') });
  return warnings;
};
