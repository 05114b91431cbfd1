import { z } from 'zod';

/** Where a name may lead once the person agreed to it: this computer, a private network, the link, a public address inside a translated one, one that is reserved. Nobody may agree to other kinds. */
export const AGREEABLE_KINDS = ['loopback', 'private', 'link_local', 'translated', 'reserved'] as const;
export const AgreeableKindSchema = z.enum(AGREEABLE_KINDS);
export type AgreeableKind = z.infer<typeof AgreeableKindSchema>;

/** The person's word that the name of a server's address leads into their own network. Time in ms since epoch. */
export const AddressAgreementSchema = z.object({ host: z.string(), kind: AgreeableKindSchema, agreedAt: z.number() });
export type AddressAgreement = z.infer<typeof AddressAgreementSchema>;
