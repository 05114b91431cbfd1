import { z } from 'zod';
import type { EvalSet, ReadSet } from './eval-set.ts';

const serverSchema = z.object({
  server: z.string(),
  tools: z.array(z.object({ name: z.string(), description: z.string().optional(), params: z.array(z.string()).default([]) })),
  requests: z.array(z.object({ text: z.string(), tools: z.array(z.string()) })).default([]),
});
const taskSchema = z.object({ task: z.object({ text: z.string(), tools: z.array(z.string()) }) });
const groupsSchema = z.object({ groups: z.array(z.array(z.string())) });
const lineSchema = z.union([serverSchema, taskSchema, groupsSchema]);

/** Which tools a request is ranked among: those of these servers; null for all. */
export type Among = ReadonlySet<string> | null;
export type OwnRequests = { readonly set: EvalSet; readonly remarks: readonly string[]; readonly among: (queryId: string) => Among };

/**
 * A file of `packaging/selection/own-requests`, a JSON object a line: a server with its tools and requests, a task over several servers, or the groups of
 * servers within which no two do the same. A request of one server is ranked among its group, for a tool of another group may answer it as well.
 */
export const readOwnRequests = (text: string): OwnRequests | Extract<ReadSet, { readonly why: string }> => {
  const servers: z.infer<typeof serverSchema>[] = [];
  const tasks: z.infer<typeof taskSchema>['task'][] = [];
  const groups: Set<string>[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return { why: `line ${at + 1} is not JSON` };
    }
    const parsed = lineSchema.safeParse(value);
    if (!parsed.success) return { why: `line ${at + 1} is neither a server, nor a task, nor groups` };
    if ('server' in parsed.data) servers.push(parsed.data);
    else if ('task' in parsed.data) tasks.push(parsed.data.task);
    else for (const group of parsed.data.groups) groups.push(new Set(group));
  }
  const tools = servers.flatMap(({ server, tools: own }) => own.map(({ name, description, params }) => ({ id: `${server}/${name}`, server, name, ...(description === undefined ? {} : { description }), inputSchema: { type: 'object', properties: Object.fromEntries(params.map((param) => [param, {}])) } })));
  const known = new Set(tools.map(({ id }) => id));
  const among = new Map<string, Among>();
  const queries = [
    ...servers.flatMap(({ server, requests }) => requests.map((request, at) => {
      const id = `${server}#${at}`;
      among.set(id, groups.find((group) => group.has(server)) ?? null);
      return { id, text: request.text, relevant: request.tools.map((name) => (known.has(`${server}/${name}`) ? `${server}/${name}` : name)) };
    })),
    ...tasks.map((task, at) => ({ id: `task#${at}`, text: task.text, relevant: task.tools })),
  ];
  const strangers = queries.filter(({ relevant }) => relevant.some((id) => !known.has(id))).length;
  return { set: { tools, queries }, remarks: strangers === 0 ? [] : [`${strangers} requests name a tool that no server of the file has: counted as missed`], among: (id) => among.get(id) ?? null };
};
