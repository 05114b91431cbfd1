import { fault, type Fault } from '../../shared/fault.ts';
import { fillTemplate, holesOf, type Filling } from '../../shared/placeholders.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Placeholders } from '../../shared/server.ts';
import type { RevealSecret } from './child-environment.ts';

export interface FillDeps {
  readonly reveal: RevealSecret;
  /** a value read from the environment that has to be masked from now on */
  readonly remember: (variable: string, value: string) => void;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

/** Fills in one text of a configuration; `field` names its place in a fault. */
export type FillText = (text: string, field: string) => Result<string, Fault>;

/** For a configuration whose `${..}` are plain text. */
export const fillNothing: FillText = (text) => ok(text);

const missing = (variable: string, field: string): Fault =>
  fault('variable_missing', `${field} needs the variable ${variable}, which is not set where Gantry runs.`, {
    field,
    remedy: `Set ${variable} before Gantry starts, or give the value itself in the server's configuration.`,
    details: { variable },
  });

/**
 * Reads what the placeholders of one server stand for: the host's variables that a person has confirmed by name for this server, and its sealed secrets. Nothing
 * else of the environment can be named. Errors: `variable_missing` with the field and the variable; those of the secret store.
 */
export const placeholderFiller = (placeholders: Readonly<Placeholders> | undefined, deps: FillDeps): FillText => {
  if (placeholders === undefined) return fillNothing;
  return (text, field) => {
    const values = new Map<string, Filling>();
    for (const name of holesOf(text)) {
      const one = Object.hasOwn(placeholders, name) ? placeholders[name] : undefined;
      if (one === undefined) continue;
      if ('variable' in one) {
        const value = deps.hostEnv[one.variable];
        if (value !== undefined && one.secret) deps.remember(one.variable, value);
        values.set(name, value ?? { missing: true });
        continue;
      }
      const secret = deps.reveal(one.secretRef);
      if (!secret.ok) return err({ ...secret.error, field });
      values.set(name, secret.value);
    }
    const filled = fillTemplate(text, (name) => values.get(name) ?? null);
    if ('text' in filled) return ok(filled.text);
    const one = placeholders[filled.missing];
    return err(missing(one !== undefined && 'variable' in one ? one.variable : filled.missing, field));
  };
};
