import type { Fault } from '../../shared/fault.ts';
import { escapeHidden } from './hidden-characters.ts';

type Translate = (key: string, values: { readonly expected: string }) => string;

const NONE = { expected: '' } as const;

/**
 * What is wrong at a field, in the window's language: by the keyword of the schema that the value broke, with what that wants. Of a keyword without words of its own, and
 * of other faults, what the code says; the host's English stands with the fault's details.
 */
export const unfitWords = ({ code, details }: { readonly code: string; readonly details?: Fault['details'] | undefined }, t: Translate, exists: (key: string) => boolean): string => {
  const key = `parts.unfit.${String(details?.['keyword'])}`;
  const expected = details?.['expected'];
  if (code === 'invalid_input' && exists(key)) return t(key, { expected: typeof expected === 'string' ? escapeHidden(expected) : '' });
  return exists(`code.${code}.sentence`) ? t(`code.${code}.sentence`, NONE) : t('parts.fault.unknown_code', NONE);
};
