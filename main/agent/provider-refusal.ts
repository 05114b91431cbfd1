/** What a provider's 400 says of the tools of a request. */
export type RefusalReading =
  /** about something else: length, model, messages */
  | { readonly kind: 'not_tools' }
  | { readonly kind: 'too_many'; readonly limit: number }
  /** about these, as far as its words tell */
  | { readonly kind: 'tools'; readonly suspects: readonly string[] };

const NOT_TOOLS = /context[_ ](?:length|window)|maximum context|too many tokens|prompt is too long|max_tokens|model[_ ]not[_ ]found|does not exist|invalid api key|credit balance|quota/i;
const TOO_MANY = /(?:maximum (?:length|number)(?: of tools)?(?: of| is|:)?|at most|up to|no more than|limit(?:ed)? (?:is|to|of))\s*(\d{1,4})/i;
const SPEAKS_OF_COUNT = /too many (?:tools|functions)|array too long|number of (?:tools|functions)|maximum (?:length|number)/i;
const INDEX = /(?:tools|function_declarations|functions)(?:\.|\[)(\d{1,4})\]?/g;

/** Reads a status and the provider's words; `names` are the tools of the request, in order. Only 400 and 422 are about what was sent. */
export const readRefusal = (status: number | null, words: string, names: readonly string[]): RefusalReading => {
  if ((status !== 400 && status !== 422) || names.length === 0) return { kind: 'not_tools' };
  const named = names.filter((name) => new RegExp(`(?<![a-zA-Z0-9_-])${name.replace(/[-]/g, '\\-')}(?![a-zA-Z0-9_-])`).test(words));
  // the inner index counts where both are given: tools[0].function_declarations[3]
  const indexes = [...words.matchAll(/function_declarations(?:\.|\[)(\d{1,4})\]?/g)].map((match) => Number(match[1]));
  const listed = (indexes.length > 0 ? indexes : [...words.matchAll(INDEX)].map((match) => Number(match[1]))).flatMap((index) => names[index] ?? []);
  const suspects = [...new Set([...named, ...listed])];
  if (suspects.length > 0) return { kind: 'tools', suspects };
  const limit = TOO_MANY.exec(words);
  if (SPEAKS_OF_COUNT.test(words) && /tool|function/i.test(words) && limit && Number(limit[1]) > 0 && Number(limit[1]) < names.length) return { kind: 'too_many', limit: Number(limit[1]) };
  if (NOT_TOOLS.test(words) && !/tool|function|schema/i.test(words)) return { kind: 'not_tools' };
  return { kind: 'tools', suspects: [] };
};
