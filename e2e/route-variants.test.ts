import { afterAll, describe, expect, test } from 'vitest';
import type { RouteId } from '../shared/rendering.ts';
import { SchemaChecker } from '../main/capabilities/schema-checker.ts';
import { ROUTES } from '../main/capabilities/routes/profiles.ts';
import { renderFor } from '../main/capabilities/routes/rendering.ts';
import { modelNames } from '../main/capabilities/routes/tool-names.ts';
import { applyUndo } from '../main/capabilities/routes/undo.ts';
import { RULES } from './fixtures/model/rules.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());

/** Which rules hold on which route; unknown providers and plain forms have to please all of them. */
const RULES_OF: readonly (readonly [RouteId, readonly string[]])[] = [
  ['anthropic', ['anthropic-basic']], ['openai-chat', ['openai-basic']], ['openai-strict', ['openai-basic', 'openai-strict-if-set']], ['gemini', ['gemini-subset']], ['moonshot', ['moonshot']], ['deepseek', ['openai-basic']], ['local', ['openai-basic']],
  ['portable', ['anthropic-basic', 'openai-basic', 'gemini-subset']], ['plainest', ['anthropic-basic', 'openai-basic', 'gemini-subset', 'moonshot']],
];

interface Variant {
  readonly of: string;
  readonly schema: unknown;
  /** what a model may send, and what the server is to get; null: refused */
  readonly sends?: readonly (readonly [unknown, unknown])[];
  /** where a route shows another form than the others, what it sends there */
  readonly only?: readonly RouteId[];
}
const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({ type: 'object', properties, ...more });
const same = (value: unknown): readonly [unknown, unknown] => [value, value];

const VARIANTS: readonly Variant[] = [
  // alternatives at the root
  { of: 'C049', schema: { type: 'object', oneOf: [object({ kind: { const: 'file' }, path: { type: 'string' } }, { required: ['kind', 'path'] }), object({ kind: { const: 'url' }, url: { type: 'string' } }, { required: ['kind', 'url'] })] }, sends: [same({ kind: 'url', url: 'x' }), [{ kind: 'url', path: 'x' }, null]] },
  { of: 'C049', schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, sends: [same({ b: 'x' }), [{}, null]] },
  { of: 'C049', schema: { allOf: [object({ a: { type: 'integer' } }, { required: ['a'] }), object({ b: { type: 'string' } })] }, sends: [same({ a: 1, b: 'x' }), [{ b: 'x' }, null]] },
  { of: 'C049', schema: { anyOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }], $defs: { A: object({ id: { type: 'integer' } }, { required: ['id'] }), B: object({ name: { type: 'string' } }, { required: ['name'] }) } }, sends: [same({ id: 3 })] },
  { of: 'C049', schema: { $ref: '#/definitions/Input', definitions: { Input: object({ q: { type: 'string' } }, { required: ['q'] }) }, $schema: 'http://json-schema.org/draft-07/schema#' }, sends: [same({ q: 'x' })] },
  { of: 'C049', schema: object({ a: { type: 'string' } }, { not: { required: ['b'] } }), sends: [same({ a: 'x' }), [{ b: 1 }, null]] },
  // no parameters
  { of: 'C051', schema: undefined, sends: [same({})] },
  { of: 'C051', schema: true, sends: [same({})] },
  { of: 'C051', schema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', additionalProperties: {} }, sends: [same({ x: 1 })] },
  { of: 'C051', schema: { type: ['object', 'null'] }, sends: [same({})] },
  { of: 'C051', schema: object({ list: { type: 'array' }, tuple: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } }, { $schema: 'http://json-schema.org/draft-07/schema#' }), sends: [same({ list: [1, 'x'], tuple: ['a', 2] })] },
  // null and lists of types
  { of: 'C053', schema: object({ v: { type: ['object', 'null'], properties: { a: { type: ['number', 'string', 'null'] } } } }), sends: [same({ v: { a: null } }), same({ v: null }), same({ v: { a: 2 } })] },
  { of: 'C053', schema: object({ v: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }], default: null } }), sends: [same({ v: ['x'] }), same({})] },
  { of: 'C053', schema: object({ never: false, any: {}, list: { type: 'array', items: true } }), sends: [same({ list: [1, 'a', null] }), [{ never: 1 }, null]] },
  { of: 'C053', schema: object({ v: { type: 'string', nullable: true } }), sends: [same({ v: 'x' })] },
  // schemas that contain themselves
  { of: 'C055', schema: object({ filter: { $ref: '#/$defs/F' } }, { $defs: { F: { anyOf: [object({ op: { type: 'string' }, parts: { type: 'array', items: { $ref: '#/$defs/F' } } }, { required: ['op'] }), { type: 'string' }] } } }), sends: [same({ filter: { op: 'and', parts: ['a', { op: 'or', parts: [{ op: 'x', parts: [{ op: 'y' }] }] }] } })] },
  { of: 'C055', schema: object({ json: { $ref: '#/definitions/J' } }, { definitions: { J: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { $ref: '#/definitions/J' } }, { type: 'object', additionalProperties: { $ref: '#/definitions/J' } }] } } }), sends: [same({ json: { a: [1, { b: 'x' }] } })] },
  { of: 'C055', schema: { $id: 'https://x.test/s', ...object({ next: { $ref: 'https://x.test/s' }, v: { $anchor: 'v', type: 'integer' }, w: { $ref: '#v' } }) }, sends: [same({ next: { v: 1 }, w: 2 })] },
  { of: 'C055', schema: object({ a: { $ref: '#/properties/b' }, b: object({ c: { type: 'string' } }) }), sends: [same({ a: { c: 'x' }, b: { c: 'y' } })] },
  // lists of values
  { of: 'C057', schema: object({ v: { enum: [1, 2, 'auto', null] } }), sends: [same({ v: 2 }), same({ v: 'auto' }), same({ v: null }), [{ v: 3 }, null]] },
  { of: 'C057', schema: object({ v: { enum: [1, 2, 'auto', null] } }), sends: [[{ v: '2' }, { v: 2 }]], only: ['gemini', 'portable', 'plainest'] },
  { of: 'C057', schema: object({ v: { type: 'number', enum: [0.5, 1] }, c: { const: 3 }, list: { type: 'array', items: { type: 'integer', enum: [10, 20] } } }), sends: [[{ v: '0.5', c: '3', list: ['20', 10] }, { v: 0.5, c: 3, list: [20, 10] }]], only: ['gemini', 'portable', 'plainest'] },
  { of: 'C057', schema: object({ v: { anyOf: [{ const: 'a' }, { const: 'b' }] }, w: { enum: [{ x: 1 }, [2]] }, t: { enum: [true] } }), sends: [same({ v: 'b', w: { x: 1 }, t: true })] },
  // required names, foreign keywords
  { of: 'C060', schema: object({ a: object({ b: { type: 'string' } }, { required: ['b', 'ghost'] }) }, { required: ['a', 'phantom'] }), sends: [same({ a: { b: 'x' } }), [{ a: {} }, null]] },
  { of: 'C060', schema: object({ n: { type: 'integer', minLength: 2, items: {} }, o: object({}, { required: [] }) }, { required: [] }), sends: [same({ n: 1 })] },
  { of: 'C060', schema: { ...object({ a: { type: 'string', required: true } }), required: 'a' }, sends: [same({ a: 'x' })] },
  // patterns, dialects, formats
  { of: 'C062', schema: object({ a: { type: 'string', pattern: '^[\\p{L}\\d_]+$' }, b: { type: 'string', pattern: '^(?=.*\\d).+$' }, c: { type: 'string', pattern: '^[[a-z]+$' }, d: { type: 'string', pattern: '^[\\w-.]+$' }, e: { type: 'string', pattern: '^\\p{Script=Han}$' } }), sends: [same({ a: 'é1', b: 'a1', c: '[a', d: 'a-b', e: '中' }), [{ a: '!' }, null], [{ e: 'x' }, null]] },
  { of: 'C062', schema: { $schema: 'http://json-schema.org/draft-04/schema#', id: 'same', ...object({ n: { type: 'number', maximum: 5, exclusiveMaximum: true }, l: { type: 'array', items: [{ type: 'string' }], additionalItems: false } }) }, sends: [same({ n: 4, l: ['a'] }), [{ n: 5 }, null], [{ l: ['a', 'b'] }, null]] },
  { of: 'C062', schema: { $schema: 'https://json-schema.org/draft/2019-09/schema', ...object({ a: { type: 'string', format: 'iso-odd' } }, { dependentRequired: { a: ['b'] }, patternProperties: { '^x-': { type: 'integer' } }, unevaluatedProperties: false }) }, sends: [same({ 'x-a': 1 }), [{ a: 'x' }, null]] },
  { of: 'C062', schema: object({ a: { type: 'string' } }, { if: { properties: { a: { const: 'x' } } }, then: { required: ['b'] }, dependencies: { c: ['a'] }, $schema: 'http://json-schema.org/draft-07/schema#' }), sends: [same({ a: 'y' }), [{ a: 'x' }, null], [{ c: 1 }, null]] },
  // optional, free and strict
  { of: 'C064', schema: object({ q: { type: 'string' }, sort: { type: 'string', enum: ['asc', 'desc'], default: 'asc' }, page: object({ size: { type: 'integer' } }, { additionalProperties: false }) }, { required: ['q'], additionalProperties: false }), sends: [same({ q: 'x' }), [{ q: 'x', sort: null, page: null }, { q: 'x' }], [{ q: 'x', page: { size: null }, sort: 'desc' }, { q: 'x', page: {}, sort: 'desc' }]], only: ['openai-strict'] },
  { of: 'C064', schema: object({ m: { type: 'object', additionalProperties: { type: 'number' } } }), sends: [same({ m: { a: 1 } }), [{ m: { a: 'x' } }, null]] },
  { of: 'C064', schema: object({ n: { type: ['string', 'null'] }, o: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }), sends: [same({ n: null, o: null })] },
  // names of members
  { of: 'C058', schema: object({ 'filter[id]': { type: 'integer' }, $top: { type: 'integer' }, 名前: { type: 'string' }, 'a\u200bb': { type: 'string' } }, { required: ['filter[id]'], additionalProperties: false }), sends: [same({ 'filter[id]': 1, $top: 2, 名前: 'x' })] },
  { of: 'C058', schema: object({ 'filter[id]': { type: 'integer' }, filter_id_: { type: 'string' } }, { additionalProperties: false }), sends: [same({ filter_id_: 'x' })] },
  { of: 'C058', schema: object({ $top: { type: 'integer' } }, { required: ['$top'] }), sends: [[{ _top: 2 }, { $top: 2 }]], only: ['anthropic', 'portable', 'plainest'] },
];

describe.each(RULES_OF)('%s', (routeId, rules) => {
  test('RT25 variants of the reported schemas are accepted by the route’s rules and reach the server as they were meant', () => {
    VARIANTS.forEach(({ of, schema, sends = [], only }, i) => {
      const what = `${of} variant ${i} on ${routeId}`;
      const definition = { name: 'v', description: 'v', ...(schema === undefined ? {} : { inputSchema: schema }) };
      const rendering = renderFor(definition, routeId);
      expect(rendering.leftOut, what).toBeNull();
      const name = modelNames([{ id: 'mcp:s:tool:v', serverId: 's', name: 'v' }], ROUTES[routeId].names).get('mcp:s:tool:v')!;
      const request = { tools: [{ name, description: 'v', schema: rendering.schema, strict: rendering.strict }], messages: [], stream: false, maxTokens: null, text: '', headers: {} };
      for (const rule of rules) expect(RULES[rule]!(request), `${what}: ${JSON.stringify(rendering.schema)}`).toBeNull();
      if (only && !only.includes(routeId)) return;
      const compiled = schemas.compile(schema, `${what}`, 'input');
      if (!compiled.ok) throw new Error(`${what}: ${compiled.error.message}`);
      for (const [sent, wanted] of sends) {
        const forms = (['values', 'names', 'all'] as const).map((mode) => applyUndo(sent, rendering.undo, mode, []));
        const accepted = forms.find((form) => compiled.value(form).ok);
        if (wanted === null) expect(accepted, `${what} sends ${JSON.stringify(sent)}`).toBeUndefined();
        else expect(accepted, `${what} sends ${JSON.stringify(sent)}: ${JSON.stringify(compiled.value(forms[0]))}`).toEqual(wanted);
      }
    });
  });
});
