import { withoutHiddenText } from '../hidden-text.ts';
import { pointerToken } from '../json-walk.ts';
import type { SchemaObject } from '../schema-graph.ts';
import type { RenderingContext } from './rendering-context.ts';
import { MAPS } from './subschema-keywords.ts';

const TEXTS = new Set(['description', 'title', '$comment', 'markdownDescription', 'enumDescriptions', 'examples', 'default']);
const VALUES = new Set(['enum', 'const', 'required', 'dependentRequired', 'pattern', '$ref']);

/** Texts that a model reads, without what a person does not see; names and listed values are part of the contract and are dealt with where they stand. */
export const shownTexts = (schema: SchemaObject, context: RenderingContext): SchemaObject => {
  const clean = (value: unknown, at: string): unknown => {
    if (typeof value === 'string') {
      const shown = withoutHiddenText(value);
      if (shown !== value) context.step(at, 'text', 'hidden_text', null);
      return shown;
    }
    if (Array.isArray(value)) return value.map((one, i) => clean(one, `${at}/${i}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, clean(one, `${at}/${pointerToken(key)}`)]));
  };
  const walk = (value: unknown, at: string, isMap: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one, i) => walk(one, `${at}/${i}`, false));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const below = `${at}/${pointerToken(key)}`;
        if (isMap) return [key, walk(one, below, false)];
        if (TEXTS.has(key)) return [key, clean(one, below)];
        return [key, VALUES.has(key) ? one : walk(one, below, MAPS.has(key))];
      }),
    );
  };
  return walk(schema, '', false) as SchemaObject;
};
