import type { SchemaDefect, SchemaState } from '../../shared/capability.ts';
import type { AjvEngine } from './ajv-engine.ts';
import { compileSchema, type CompiledSchema, type SchemaUse } from './schema-compile.ts';

/** The two schemas of a definition as the worker gets them: JSON text, or null where there is none. */
export interface SchemaPair {
  readonly input: string | null;
  readonly output: string | null;
}

/** One state for the definition; pointers begin with /inputSchema or /outputSchema. */
export const examineSchemas = (pair: SchemaPair, engine: AjvEngine): SchemaState => {
  const places: { pointer: string; code: SchemaDefect; reason: string }[] = [];
  for (const use of ['input', 'output'] as const) {
    const text = pair[use];
    if (text === null) continue;
    const compiled = compileOrSay(text, use, engine);
    if (compiled.state === 'excluded') return { state: 'excluded', pointer: `/${use}Schema${compiled.pointer}`, code: compiled.code, reason: compiled.reason };
    for (const { pointer, code, reason } of compiled.places) places.push({ pointer: `/${use}Schema${pointer}`, code, reason });
  }
  return places.length > 0 ? { state: 'partly_checked', places } : { state: 'checked' };
};

/** A bug in judging costs this one definition, never the worker. */
const compileOrSay = (text: string, use: SchemaUse, engine: AjvEngine): CompiledSchema => {
  try {
    return compileSchema(JSON.parse(text), use, engine);
  } catch (error) {
    return { state: 'excluded', pointer: '', code: 'not_compiled', reason: `the schema cannot be judged: ${error instanceof Error ? error.message : String(error)}` };
  }
};
