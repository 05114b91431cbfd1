import type { AddressKind } from './address-kind.ts';

export interface RefusedAddress {
  /** as it stands in the URL */
  readonly host: string;
  /** the address that would have been dialled */
  readonly address: string;
  readonly kind: AddressKind;
  /** the person may agree to it, by the host's name */
  readonly agreeable: boolean;
}

/** Raised before anything is sent. Its facts are plain fields, so that they survive libraries that copy errors. */
export class AddressRefused extends Error implements RefusedAddress {
  readonly code = 'ADDRESS_REFUSED';
  readonly host: string;
  readonly address: string;
  readonly kind: AddressKind;
  readonly agreeable: boolean;
  constructor({ host, address, kind, agreeable }: RefusedAddress) {
    super(host === address ? `${host} may not be reached` : `${host} leads to ${address}, which may not be reached`);
    this.name = 'AddressRefused';
    this.host = host;
    this.address = address;
    this.kind = kind;
    this.agreeable = agreeable;
  }
}

/** The refusal inside an error, wherever a library put it; null where it is another. */
export const addressRefusedIn = (thrown: unknown, depth = 0): RefusedAddress | null => {
  if (typeof thrown !== 'object' || thrown === null || depth > 8) return null;
  const error = thrown as Record<string, unknown>;
  if (error['code'] === 'ADDRESS_REFUSED' && typeof error['address'] === 'string') return { host: String(error['host']), address: error['address'], kind: error['kind'] as AddressKind, agreeable: error['agreeable'] === true };
  const inner = Array.isArray(error['errors']) ? (error['errors'] as unknown[]).map((one) => addressRefusedIn(one, depth + 1)).find((one) => one !== null) : undefined;
  return inner ?? addressRefusedIn(error['cause'], depth + 1) ?? addressRefusedIn((error['data'] as { cause?: unknown } | undefined)?.cause, depth + 1);
};
