import type { AgreeableKind } from '../../../../shared/address-agreement.ts';
import type { ShownFault } from '../../../parts/FaultView.tsx';

const KINDS: Readonly<Record<AgreeableKind, true>> = { loopback: true, private: true, link_local: true, translated: true, reserved: true };

/** What a person may agree to where the name of a server's address leads elsewhere; null where that is not what stands in the way, or nobody may. */
export const agreeableAddress = ({ code, details }: ShownFault): { readonly host: string; readonly kind: AgreeableKind } | null => {
  const { host, kind, agreeable } = details ?? {};
  return code === 'address_refused' && agreeable === true && typeof host === 'string' && typeof kind === 'string' && kind in KINDS ? { host, kind: kind as AgreeableKind } : null;
};
