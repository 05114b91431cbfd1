import { z } from 'zod';
import { FaultSchema } from './fault-schema.ts';

/** A sign-in that was begun: the page to open, with what a person has to see before. Times in ms since epoch. */
export const PendingSignInSchema = z.object({
  /** https, or http on this computer; only ever opened in the system's browser */
  address: z.string(),
  /** whole host names as they are dialled (punycode): of the page, of the login server, and of where tokens are asked for */
  host: z.string(),
  issuer: z.string(),
  tokenHost: z.string(),
  scopes: z.array(z.string()),
  /** what the server wants beyond what was granted before */
  newScopes: z.array(z.string()),
  /** the login server of the last sign-in, when it was another one (N03) */
  changedFrom: z.string().nullable(),
  step: z.enum(['waiting', 'finishing']),
  until: z.number(),
});
export type PendingSignIn = z.infer<typeof PendingSignInSchema>;

/** What a window may know of a sign-in; no token and no secret is in it. */
export const SignInSchema = z.object({
  account: z
    .object({
      issuer: z.string(),
      host: z.string(),
      tokenHost: z.string(),
      clientId: z.string(),
      client: z.enum(['own', 'registered', 'document']),
      scopes: z.array(z.string()),
      /** null: the login server did not say */
      expiresAt: z.number().nullable(),
      /** it can be renewed without the person */
      renewable: z.boolean(),
      since: z.number(),
      ended: z.object({ at: z.number(), why: z.enum(['signed_out', 'expired', 'refused']) }).nullable(),
    })
    .nullable(),
  /** rights that the server asked for and the sign-in does not have */
  missingScopes: z.array(z.string()),
  pending: PendingSignInSchema.nullable(),
  /** why the last sign-in did not come to its end */
  failure: FaultSchema.nullable(),
  /** entered by a person, for a login server that registers nobody by itself */
  ownClient: z.object({ clientId: z.string(), hasSecret: z.boolean(), port: z.number().nullable(), issuer: z.string().nullable() }).nullable(),
  /** to be named where Gantry is registered by hand */
  redirectAddress: z.string(),
  agreedOrigins: z.array(z.string()),
});
export type SignIn = z.infer<typeof SignInSchema>;
