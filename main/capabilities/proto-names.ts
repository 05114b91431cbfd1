import type { SchemaGraph } from './schema-graph.ts';

const NAME = '__proto__';
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Ajv leaves a member named `__proto__` out of `properties` and `dependencies`: a tool that names it would refuse every input, or judge none of it. The same is said
 * in keywords that carry the name. What stood there stays, because references may lead to it.
 */
export const carryProtoNames = (graph: SchemaGraph): void => {
  for (const { schema } of graph.nodes) {
    const { properties, dependencies } = schema;
    if (isObject(properties) && Object.hasOwn(properties, NAME)) {
      const patterns = isObject(schema['patternProperties']) ? schema['patternProperties'] : {};
      let pattern = `^${NAME}$`;
      while (Object.hasOwn(patterns, pattern)) pattern = `^(?:${pattern.slice(1, -1)})$`;
      schema['patternProperties'] = { ...patterns, [pattern]: properties[NAME] };
    }
    if (isObject(dependencies) && Object.hasOwn(dependencies, NAME)) {
      const needed = dependencies[NAME];
      const consequence = { anyOf: [{ not: { required: [NAME] } }, Array.isArray(needed) ? { required: needed } : needed] };
      schema['allOf'] = [...(Array.isArray(schema['allOf']) ? schema['allOf'] : []), consequence];
    }
  }
};
