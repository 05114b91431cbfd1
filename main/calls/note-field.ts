import { fault, type Fault } from '../../shared/fault.ts';
import { isObject } from '../../shared/is-object.ts';

/** Marks what a model is shown in place of its own earlier arguments, where those are not repeated. */
export const NOTE_FIELD = 'gantry_note';

/** A model that copies the marker has left its arguments out: that is no input, unless the tool's own schema has such a member. Null: it is not there. */
export const copiedNote = (value: unknown, inputSchema: unknown): Fault | null => {
  if (!isObject(value) || !Object.hasOwn(value, NOTE_FIELD)) return null;
  const own = isObject(inputSchema) ? inputSchema['properties'] : null;
  if (isObject(own) && Object.hasOwn(own, NOTE_FIELD)) return null;
  return fault('invalid_input', 'These are not the arguments, but what Gantry shows in place of long ones.', { field: `/${NOTE_FIELD}`, remedy: 'Write the arguments out in full.' });
};
