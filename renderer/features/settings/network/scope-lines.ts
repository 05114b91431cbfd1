import { isNpmScope, type NpmScope } from '../../../../shared/npm-scope.ts';

export const writeScopes = (scopes: readonly NpmScope[]): string => scopes.map(({ scope, registry }) => `${scope} ${registry}`).join('\n');

/** One scope a line, as `@scope address` or as npm writes it, `@scope:registry=address`; null where a line is neither. */
export const readScopes = (text: string): readonly NpmScope[] | null => {
  const read = text.split('\n').map((line) => line.trim()).filter((line) => line !== '').map((line) => {
    const parts = /^(@[^\s:=]+)(?:\s+|:registry\s*=\s*)(\S+)$/.exec(line);
    const one = { scope: parts?.[1] ?? '', registry: parts?.[2] ?? '' };
    return isNpmScope(one) ? one : null;
  });
  return read.includes(null) ? null : (read as NpmScope[]);
};
