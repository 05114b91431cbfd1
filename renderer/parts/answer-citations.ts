/** As the host reads labels of results (main/agent/citations.ts): [r3], [r1, r2], also in full-width brackets. */
const CITED = /([[【])([ \t]*[rR]\d{1,6}(?!\d)(?:[ \t]*(?:[,;，；、][ \t]*)?[rR]\d{1,6}(?!\d)){0,50}[ \t]*)([\]】])/g;
/** Private characters, which text from a model has lost by then (escapeHidden spells them out): Markdown does not read what stands between them as a link. */
const MASKED = /([\ue000\ue002])([^\ue000-\ue003]*)([\ue001\ue003])/g;

/** Puts the labels of a text out of reach of Markdown, where `[r1][r2]` and `[r1]: ...` mean links. */
export const maskCitations = (text: string): string => text.replace(CITED, (_whole, open: string, inside: string, close: string) => `${open === '[' ? '\ue000' : '\ue002'}${inside}${close === ']' ? '\ue001' : '\ue003'}`);

/** As it was written, for code and names. */
export const unmaskCitations = (text: string): string => text.replace(MASKED, (_whole, open: string, inside: string, close: string) => `${open === '\ue000' ? '[' : '【'}${inside}${close === '\ue001' ? ']' : '】'}`);

export type CitedPart = { readonly text: string } | { readonly labels: readonly string[] };

/** Text between labels, and labels as `r3`, in their order. */
export const citedParts = (text: string): readonly CitedPart[] => {
  const parts: CitedPart[] = [];
  let from = 0;
  for (const found of text.matchAll(MASKED)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index) });
    parts.push({ labels: [...(found[2] ?? '').matchAll(/[rR](\d{1,6})/g)].map(([, number]) => `r${Number(number)}`) });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
};
