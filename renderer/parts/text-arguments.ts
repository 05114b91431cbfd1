/** A field of a template or a prompt: every one of them holds a text. Its words are the server's. */
export interface TextArgument {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly required: boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The fields of an input schema that takes texts alone; null where another form has to show it. */
export const textArguments = (schema: unknown): readonly TextArgument[] | null => {
  if (!isObject(schema) || !isObject(schema['properties'])) return null;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields: TextArgument[] = [];
  for (const [name, property] of Object.entries(schema['properties'])) {
    if (!isObject(property) || property['type'] !== 'string') return null;
    fields.push({ name, title: text(property['title']), description: text(property['description']), required: required.includes(name) });
  }
  return fields;
};

/** What is sent: an empty field that may be left out is left out. */
export const givenArguments = (fields: readonly TextArgument[], values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(fields.flatMap(({ name, required }) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : '';
    return value === '' && !required ? [] : [[name, value]];
  }));
