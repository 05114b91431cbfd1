/** The five read-only tools: their definitions, and their answers from the facts which the host wrote. */

const SWITCH_VALUE = { type: ['boolean', 'string', 'number'] };
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required, additionalProperties: false });
const NO_INPUT = { type: 'object', properties: {}, additionalProperties: false };
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const text = (description) => ({ type: 'string', description });

/** Facts that can be asked for one at a time, and where they are in the facts file. */
const SINGLE_FACTS = {
  gantry_version: (facts) => facts.gantry.version,
  shell: (facts) => facts.gantry.shell,
  node_version: (facts) => facts.node,
  platform: (facts) => facts.platform,
  architecture: (facts) => facts.arch,
  os_release: (facts) => facts.osRelease,
  cpu_count: (facts) => facts.cpuCount,
  memory_bytes: (facts) => facts.memoryBytes,
  locale: (facts) => facts.locale,
  time_zone: (facts) => facts.timeZone,
  server_count: (facts) => facts.servers.length,
};

const table = [
  {
    definition: {
      name: 'get_versions',
      title: 'Versions',
      description: 'The versions of Gantry, of Node.js and of the operating system, with the platform and the processor architecture.',
      inputSchema: NO_INPUT,
      outputSchema: object({
        gantry: text('Gantry version'),
        shell: text('How Gantry runs: electron, loopback or command'),
        node: text('Node.js version of the host'),
        platform: text('Operating system, as Node.js names it'),
        arch: text('Processor architecture'),
        osRelease: text('Operating system release'),
      }),
    },
    answer: ({ gantry, node, platform, arch, osRelease }) => ({ gantry: gantry.version, shell: gantry.shell, node, platform, arch, osRelease }),
  },
  {
    definition: {
      name: 'get_platform',
      title: 'Computer',
      description: 'Processor count, memory in bytes, the locale and the time zone of the computer.',
      inputSchema: NO_INPUT,
      outputSchema: object({
        cpuCount: { type: 'integer', minimum: 1, description: 'Logical processors' },
        memoryBytes: { type: 'integer', minimum: 0, description: 'Total memory in bytes' },
        locale: text('BCP 47 language tag'),
        timeZone: text('IANA time zone name'),
      }),
    },
    answer: ({ cpuCount, memoryBytes, locale, timeZone }) => ({ cpuCount, memoryBytes, locale, timeZone }),
  },
  {
    definition: {
      name: 'get_feature_switches',
      title: 'Feature switches',
      description: 'The feature switches of this Gantry and how each of them stands.',
      inputSchema: NO_INPUT,
      outputSchema: object({ switches: { type: 'object', additionalProperties: SWITCH_VALUE } }),
    },
    answer: ({ featureSwitches }) => ({ switches: featureSwitches }),
  },
  {
    definition: {
      name: 'list_configured_servers',
      title: 'Configured servers',
      description: 'The MCP servers configured in Gantry: id, name, kind, whether enabled, and state. Never their secrets, environment, headers or addresses.',
      inputSchema: NO_INPUT,
      outputSchema: object({
        servers: {
          type: 'array',
          items: object({ id: { type: 'string' }, name: { type: 'string' }, kind: { type: 'string' }, enabled: { type: 'boolean' }, state: { type: 'string' } }),
        },
      }),
    },
    answer: ({ servers }) => ({ servers: servers.map(({ id, name, kind, enabled, state }) => ({ id, name, kind, enabled, state })) }),
  },
  {
    definition: {
      name: 'get_environment_fact',
      title: 'One fact',
      description: 'One fact about Gantry or the computer, by its name.',
      inputSchema: object({ name: { type: 'string', enum: Object.keys(SINGLE_FACTS), title: 'Fact', description: 'Which fact' } }),
      outputSchema: object({ name: { type: 'string' }, value: { type: ['string', 'number'] } }),
    },
    answer: (facts, { name }) => ({ name, value: SINGLE_FACTS[name](facts) }),
  },
];

export const tools = table.map(({ definition }) => ({ ...definition, annotations: { title: definition.title, ...READ_ONLY } }));

const failed = (sentence) => ({ content: [{ type: 'text', text: sentence }], isError: true });

/** Says what is wrong with the arguments, or null. Input errors are tool errors (revision 2025-11-25). */
const inputProblem = (name, input) => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'The arguments must be an object.';
  const known = name === 'get_environment_fact' ? ['name'] : [];
  const extra = Object.keys(input).find((key) => !known.includes(key));
  if (extra !== undefined) return `Unknown argument: ${extra}.`;
  if (known.length === 1 && !(typeof input.name === 'string' && Object.hasOwn(SINGLE_FACTS, input.name))) {
    return `The argument "name" must be one of: ${Object.keys(SINGLE_FACTS).join(', ')}.`;
  }
  return null;
};

/**
 * Gives the tool result (never throws for missing or odd facts: those are isError results).
 * `readFacts` gives `{facts}` or `{error: sentence}`.
 */
export const callTool = (name, input, readFacts) => {
  const problem = inputProblem(name, input);
  if (problem !== null) return failed(problem);
  const { facts, error } = readFacts();
  if (error !== undefined) return failed(error);
  try {
    const structuredContent = table.find(({ definition }) => definition.name === name).answer(facts, input);
    if (Object.values(structuredContent).includes(undefined)) throw new Error('a fact is missing');
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent, isError: false };
  } catch {
    return failed('The facts file is incomplete. Reconnect this server in Gantry.');
  }
};
