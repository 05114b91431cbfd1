/** What a link asks to be shown: a market entry by its id; anything else is not known to this page. */
export type LinkAsks = { readonly kind: 'entry'; readonly entryId: string } | { readonly kind: 'unknown' };

const LONGEST_ID = 200;

/** Reads `gantry://market/<entry id>`, and nothing more of it: what else a link carries is shown and has no effect. */
export const readLink = (text: string): LinkAsks => {
  const url = URL.parse(text.trim());
  if (url?.protocol !== 'gantry:' || url.host !== 'market') return { kind: 'unknown' };
  try {
    const entryId = decodeURIComponent(url.pathname.replace(/^\//, ''));
    return entryId === '' || entryId.length > LONGEST_ID ? { kind: 'unknown' } : { kind: 'entry', entryId };
  } catch {
    return { kind: 'unknown' };
  }
};
