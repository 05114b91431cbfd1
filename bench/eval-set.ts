import { z } from 'zod';

const setSchema = z.object({
  tools: z.array(z.looseObject({ id: z.string(), server: z.string(), serverTitle: z.string().optional(), name: z.string(), title: z.string().optional(), description: z.string().nullish(), inputSchema: z.unknown().optional() })),
  queries: z.array(z.object({ id: z.string(), text: z.string(), relevant: z.array(z.string()) })),
});
export type EvalSet = z.infer<typeof setSchema>;

/** `remarks`: what of the set was not taken as it stands, a sentence each. */
export type ReadSet = { readonly set: EvalSet; readonly remarks: readonly string[] } | { readonly why: string };

/** One file of a folder as a set. Of tools and queries that share an id the first counts; queries without a relevant tool are left out; relevant tools that the set does not have count as missed. */
export const readEvalSet = (text: string): ReadSet => {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { why: `it is not JSON: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}` };
  }
  const parsed = setSchema.safeParse(value);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return { why: `/${path.join('/')}: ${message}` };
  }
  const tools = [...new Map(parsed.data.tools.toReversed().map((tool) => [tool.id, tool])).values()].toReversed();
  const distinct = [...new Map(parsed.data.queries.toReversed().map((query) => [query.id, query])).values()].toReversed();
  const queries = distinct.filter(({ relevant }) => relevant.length > 0);
  const known = new Set(tools.map(({ id }) => id));
  const strangers = queries.filter(({ relevant }) => relevant.some((id) => !known.has(id))).length;
  const remarks = [
    [parsed.data.tools.length - tools.length, 'tool with an id that came before', 'tools with an id that came before', 'left out'],
    [parsed.data.queries.length - distinct.length, 'query with an id that came before', 'queries with an id that came before', 'left out'],
    [distinct.length - queries.length, 'query without a relevant tool', 'queries without a relevant tool', 'left out'],
    [strangers, 'query with a relevant tool that the set does not have', 'queries with a relevant tool that the set does not have', 'counted as missed'],
  ] as const;
  return {
    set: { tools, queries },
    remarks: [...remarks.flatMap(([count, one, more, what]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : more}: ${what}`])), ...(queries.length === 0 ? ['no query is left to measure'] : [])],
  };
};
