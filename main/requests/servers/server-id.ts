import type { ServerSpec } from '../../../shared/server.ts';

/** A readable id from what is added: `@scope/server-filesystem` -> `filesystem`; a number is appended where taken. */
export const deriveServerId = (spec: ServerSpec, taken: (id: string) => boolean, name?: string): string => {
  const base = slug(spec.kind === 'command' && name !== undefined ? name : nameOf(spec));
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
      return spec.package.replace(/^@[^/]+\//, '').replace(/^(mcp-)?server-|(-mcp)?-server$|^mcp-|-mcp$/g, '') || spec.package;
    case 'command':
      return spec.command.split(/[\\/]/).at(-1)!.replace(/\.(exe|cmd|bat|mjs|js|py|sh)$/i, '');
    case 'http':
      return new URL(spec.url).hostname;
  }
};

const slug = (text: string): string => {
  const s = text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 48).replace(/-+$/, '');
  return s === '' || s === 'host' ? 'server' : s;
};
