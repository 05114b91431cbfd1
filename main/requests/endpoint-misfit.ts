import { fault, type Fault } from '../../shared/fault.ts';
import { valueMisfit } from '../servers/launch-values.ts';
import { addressMisfit } from './servers/check-spec.ts';

/**
 * Why a model's or an embeddings address and key cannot be used as they were written: a user's name or password in the address, which is stored and shown in the
 * clear; blanks in it; a key that no header can carry. `place`: the JSON Pointer under which both were given.
 */
export const endpointMisfit = ({ baseUrl, key }: { readonly baseUrl?: string | undefined; readonly key?: string | null | undefined }, place: '' | '/draft' = ''): Fault | null => {
  const address = baseUrl === undefined ? null : addressMisfit(baseUrl, `${place}/baseUrl`, 'Write the address without them, and the key into the field for it.');
  if (address !== null || typeof key !== 'string') return address;
  const misfit = valueMisfit('header', key.trim());
  return misfit && fault('invalid_request', `the key ${misfit.what}`, { field: `${place}/key`, remedy: 'Copy the key once more from its provider, alone and in one line.' });
};
