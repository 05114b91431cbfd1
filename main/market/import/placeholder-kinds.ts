import type { ImportAsk } from '../../../shared/import.ts';
import type { InputHint } from './found-server.ts';
import { isSecretName, isSecretShape } from './judge-value.ts';

/** An ask before it is shown. */
export type RawAsk = ImportAsk;

export interface HoleContext {
  readonly inputs: ReadonlyMap<string, InputHint>;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

/** Facts of this computer that every editor fills in, and Gantry too. Source: code.visualstudio.com/docs/reference/variables-reference. */
export const isAutomatic = (name: string): boolean => name === 'userHome' || name === 'pathSeparator' || name === '/';

/** Facts that only the program knew whose settings these are: its open folder, its file, its extension. */
const PLACES = /^(workspaceFolder|workspaceRoot|workspaceFolderBasename|fileWorkspaceFolder|file|fileBasename|fileBasenameNoExtension|fileDirname|relativeFile|cwd|execPath|selectedText|lineNumber|extensionPath|extensionInstallFolder|__dirname|CLAUDE_PLUGIN_ROOT|CLAUDE_PROJECT_DIR|DOCUMENTS|DESKTOP|DOWNLOADS)$/;

const base: ImportAsk = { name: '', kind: 'variable', variable: null, present: false, description: '', default: null, choices: [], secret: false, required: true, fixed: false, places: [] };

/** What a placeholder asks for; null where it is plain text to Gantry. */
export const askFor = (name: string, context: HoleContext): ImportAsk | null => {
  if (name.startsWith('blank:')) return { ...base, name, kind: 'blank', description: name.slice(6), secret: isSecretName(name) };
  const input = name.startsWith('input:') ? name.slice(6) : name.startsWith('user_config.') ? name.slice(12) : null;
  if (input !== null) {
    const hint = context.inputs.get(input);
    return { ...base, name, kind: 'input', description: hint?.description ?? '', default: hint?.default ?? null, choices: [...(hint?.choices ?? [])], secret: hint?.secret === true || (hint === undefined && isSecretName(input)), required: hint?.required ?? true };
  }
  if (PLACES.test(name) || /^(workspaceFolder|config|command|file|extension):/.test(name)) return { ...base, name, kind: 'place' };
  const variable = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)$/.exec(name)?.[1];
  if (variable === undefined) return null;
  const value = context.hostEnv[variable];
  return { ...base, name, kind: 'variable', variable, present: value !== undefined && value !== '', secret: isSecretName(variable) || (value !== undefined && isSecretShape(value)) };
};
