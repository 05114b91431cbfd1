/** What a link asks to be shown: a market entry by its id, or settings of servers, which the import reads; anything else is not known to this page. */
export type LinkAsks = { readonly kind: 'entry'; readonly entryId: string } | { readonly kind: 'settings' } | { readonly kind: 'unknown' };

const LONGEST_ID = 200;

/** The forms that the import reads: a query that is JSON or has `config`, a `goose:` link, a configuration as text. Whether it can be read is said there. */
const bringsSettings = (text: string): boolean => /^\s*[{[]/.test(text) || /^\s*goose:/i.test(text) || /^\s*[a-z][a-z0-9+.-]*:\S*\?(\S*&)?(config=|%7b|\{)/i.test(text) || /^\s*https?:\/\/[^/]*vscode\.dev\/redirect\S*[?&]url=/i.test(text);

/** Reads `gantry://market/<entry id>`, and nothing more of it: what else such a link carries is shown and has no effect. */
export const readLink = (text: string): LinkAsks => {
  const url = URL.parse(text.trim());
  if (url?.protocol !== 'gantry:' || url.host !== 'market') return { kind: bringsSettings(text) ? 'settings' : 'unknown' };
  try {
    const entryId = decodeURIComponent(url.pathname.replace(/^\//, ''));
    return entryId === '' || entryId.length > LONGEST_ID ? { kind: 'unknown' } : { kind: 'entry', entryId };
  } catch {
    return { kind: 'unknown' };
  }
};
