import { withoutHiddenText } from '../capabilities/hidden-text.ts';
import { distinctNames } from '../evidence/distinct-names.ts';

/**
 * A value as one line of JSON, each text and name in it without what a reader does not see (C098): cleaned before it is quoted, so that neither a line
 * separator nor a control sequence of a server's ends the quotes that it stands in (RS07). `hidden`: something was left out.
 */
export const shownLine = (value: unknown): { readonly text: string; readonly hidden: boolean } => {
  let hidden = false;
  const clean = (text: string): string => {
    const shown = withoutHiddenText(text);
    hidden ||= shown !== text;
    return shown;
  };
  const cleaned = (given: unknown): unknown => {
    if (typeof given === 'string') return clean(given);
    if (Array.isArray(given)) return given.map(cleaned);
    if (typeof given !== 'object' || given === null) return given;
    const distinct = distinctNames();
    return Object.fromEntries(Object.entries(given).map(([name, member]) => [distinct(clean(name)), cleaned(member)]));
  };
  return { text: JSON.stringify(cleaned(value)), hidden };
};
