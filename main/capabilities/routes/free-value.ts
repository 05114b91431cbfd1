import type { SchemaObject } from '../schema-graph.ts';
import type { RenderingContext } from './rendering-context.ts';

const SCALARS = ['string', 'number', 'boolean'] as const;

/** Any JSON value at all, in the words of a route; `description` is the server's. */
export const freeValue = (context: RenderingContext, description: string): SchemaObject => {
  const { schema } = context.profile;
  if (!schema.alternatives) return { type: 'string', description, ...(schema.nullAs === 'keyword' ? { nullable: true } : {}) };
  const item = { anyOf: [...SCALARS.map((type) => ({ type })), { type: 'object' }] };
  const branches: SchemaObject[] = [...SCALARS.map((type) => ({ type })), { type: 'object' }, { type: 'array', items: item }];
  if (schema.nullAs === 'keyword') branches[0]!['nullable'] = true;
  else branches.push({ type: 'null' });
  branches[0]!['description'] = description;
  return { anyOf: branches };
};
