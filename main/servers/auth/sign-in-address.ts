import { fault, type Fault } from '../../../shared/fault.ts';
import { err, type Result } from '../../../shared/result.ts';
import type { Launch } from '../../../shared/server.ts';
import { filledAddress, hasOwnKey } from '../open-session.ts';
import type { ServerPoolDeps } from '../pool-deps.ts';

/** The address of the server that is signed in at. Errors: invalid_request (a program), conflict (a key of one's own), and those of its placeholders. */
export const addressToSignIn = (launch: Launch, secrets: ServerPoolDeps['secrets']): Result<string, Fault> => {
  if (launch.kind !== 'http') return err(fault('invalid_request', 'This server is a program on this computer; there is no signing in to it.', { field: '/serverId' }));
  if (hasOwnKey(launch)) return err(fault('conflict', 'A key of your own (the header Authorization) is configured for this server.', { remedy: 'Remove that header first, then sign in.', details: { header: 'Authorization' } }));
  return filledAddress(launch, { reveal: (ref) => secrets.reveal(ref), remember: (variable, value) => secrets.remember?.(variable, value) });
};
