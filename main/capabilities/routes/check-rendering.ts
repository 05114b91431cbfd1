import { pointerToken } from '../json-walk.ts';
import { byPointer, isObject, type SchemaObject } from '../schema-graph.ts';
import type { RouteProfile } from './route-profile.ts';
import { isPortablePattern } from './shown-pattern.ts';
import { MAPS } from './subschema-keywords.ts';

const VALUES = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired', 'example']);

const resolves = (root: SchemaObject, reference: string): boolean => reference.startsWith('#') && byPointer(root, decodeURIComponent(reference.slice(1))) !== undefined;

/** What the route's own rules say against a schema, place by place; empty for one that the route carries. The last look before a tool is shown. */
export const routeComplaints = (root: SchemaObject, profile: RouteProfile): string[] => {
  const rules = profile.schema;
  const found: string[] = [];
  if (root['type'] !== 'object') found.push('/type: the root is not an object');
  if (rules.propertiesAtRoot && !isObject(root['properties'])) found.push('/properties: missing at the root');
  for (const keyword of ['anyOf', 'oneOf', 'allOf', ...rules.notAtRoot]) if (Object.hasOwn(root, keyword)) found.push(`/${keyword}: not at the root`);
  for (const name of Object.keys(isObject(root['properties']) ? root['properties'] : {})) if (rules.memberNames && !rules.memberNames.test(name)) found.push(`/properties/${pointerToken(name)}: the name of the member`);

  const rebuilt = (schema: SchemaObject, at: string): void => {
    for (const keyword of Object.keys(schema)) if (rules.keywords !== 'all' && !rules.keywords.has(keyword)) found.push(`${at}/${pointerToken(keyword)}: this keyword`);
    const union = Array.isArray(schema['anyOf']);
    if (union && !rules.alternatives) found.push(`${at}/anyOf: no alternatives`);
    if (union && Object.keys(schema).length > 1 && !rules.closed) found.push(`${at}/anyOf: stands alone`);
    const types = Array.isArray(schema['type']) ? (schema['type'] as unknown[]) : [schema['type']];
    if (!union && (types.some((type) => typeof type !== 'string') || (types.length > 1 && rules.nullAs !== 'type_list'))) found.push(`${at}/type: one type`);
    if (Array.isArray(schema['enum']) && rules.listsOf === 'texts' && !(schema['type'] === 'string' && (schema['enum'] as unknown[]).every((one) => typeof one === 'string' && one !== ''))) found.push(`${at}/enum: texts only`);
    if (typeof schema['format'] === 'string' && !rules.formats.has(schema['format'])) found.push(`${at}/format: ${schema['format']}`);
    const names = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
    if (names.length > 0 && !types.includes('object')) found.push(`${at}/properties: on no object`);
    if (Array.isArray(schema['required']) && !(schema['required'] as string[]).every((name) => names.includes(name))) found.push(`${at}/required: an unknown member`);
    if (types.includes('array') && !isObject(schema['items'])) found.push(`${at}/items: missing`);
    if (rules.closed && types.includes('object') && (schema['additionalProperties'] !== false || names.some((name) => !(schema['required'] as string[] | undefined)?.includes(name)))) found.push(`${at}: not closed`);
  };
  const walk = (value: unknown, at: string, insideNot: boolean): void => {
    if (Array.isArray(value)) return value.forEach((one, i) => walk(one, `${at}/${i}`, insideNot));
    if (!isObject(value)) return;
    if (rules.form === 'rebuilt') rebuilt(value, at);
    else if (rules.itemsNeeded && !insideNot && (value['type'] === 'array' || (Array.isArray(value['type']) && (value['type'] as unknown[]).includes('array'))) && !isObject(value['items'])) found.push(`${at}/items: missing`);
    if (typeof value['pattern'] === 'string' && !(rules.patterns && isPortablePattern(value['pattern']))) found.push(`${at}/pattern: not every engine reads it`);
    if (typeof value['$ref'] === 'string' && !resolves(root, value['$ref'])) found.push(`${at}/$ref: leads nowhere`);
    for (const [keyword, member] of Object.entries(value)) {
      if (VALUES.has(keyword)) continue;
      if (MAPS.has(keyword) && isObject(member)) for (const [name, one] of Object.entries(member)) walk(one, `${at}/${pointerToken(keyword)}/${pointerToken(name)}`, insideNot);
      else walk(member, `${at}/${pointerToken(keyword)}`, insideNot || keyword === 'not' || keyword === 'if');
    }
  };
  walk(root, '', false);
  return found;
};
