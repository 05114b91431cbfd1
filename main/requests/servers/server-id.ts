import type { ServerSpec } from '../../../shared/server.ts';

/** A readable id from what is added: the market entry's, else `@scope/server-filesystem` -> `filesystem`, `@scope/mcp` -> `scope`, `mcp-server` whole; a number is appended where taken. */
export const deriveServerId = (spec: ServerSpec, taken: (id: string) => boolean, { name, entryId }: { readonly name?: string | undefined; readonly entryId?: string | undefined } = {}): string => {
  const base = slug(entryId ?? (spec.kind === 'command' && name !== undefined ? name : nameOf(spec)));
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? base : `${base.slice(0, 44)}-${n}`;
    if (!taken(id)) return id;
  }
};

export const nameOf = (spec: ServerSpec): string => {
  switch (spec.kind) {
    case 'builtin':
      return spec.name;
    case 'npm':
      return packageName(spec.package);
    case 'command':
      return spec.command.split(/[\\/]/).at(-1)!.replace(/\.(exe|cmd|bat|mjs|js|py|sh)$/i, '');
    case 'http':
      return new URL(spec.url).hostname;
  }
};

/** Says nothing about which one it is; within a scope the scope does. */
const GENERIC = /^(mcp|server|mcp-?server|server-mcp|mcp-servers?|servers?|modelcontextprotocol)$/i;

const packageName = (name: string): string => {
  const [, scope, last = name] = /^@([^/]+)\/(.+)$/.exec(name) ?? [];
  // without a scope the whole name is all there is
  if (GENERIC.test(last)) return scope ?? name;
  return last.replace(/^(mcp-)?server-|(-mcp)?-server$|^mcp-|-mcp$/g, '') || name;
};

const slug = (text: string): string => {
  const s = text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 48).replace(/-+$/, '');
  return s === '' || s === 'host' ? 'server' : s;
};
