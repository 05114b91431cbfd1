/** An npm scope with a registry of its own. */
export interface NpmScope {
  readonly scope: string;
  readonly registry: string;
}

export const NPM_SCOPE = { name: /^@[a-z0-9][a-z0-9._~-]*$/, nameMost: 214, registryMost: 500 } as const;

/** What may be sent as one: the schema of the settings says the same. */
export const isNpmScope = ({ scope, registry }: NpmScope): boolean => NPM_SCOPE.name.test(scope) && scope.length <= NPM_SCOPE.nameMost && registry.length <= NPM_SCOPE.registryMost;
