import { useEffect } from 'react';
import { create } from 'zustand';
import type { CapabilityRow } from '../../shared/capability.ts';
import { loading, type Mirror } from './mirror.ts';

interface Capabilities {
  /** rows of every server; read when a page first asks for them, kept from then on */
  readonly capabilities: Mirror<readonly CapabilityRow[]>;
  readonly wanted: boolean;
  /** grows with every change, wanted or not, and is for effects to hang on */
  readonly revision: number;
}

export const useCapabilities = create<Capabilities>(() => ({ capabilities: loading(), wanted: false, revision: 0 }));

/** Every capability as a row. While `needed` is false, nothing is asked of the host. */
export const useCapabilityRows = (needed = true): Mirror<readonly CapabilityRow[]> => {
  useEffect(() => {
    if (needed && !useCapabilities.getState().wanted) useCapabilities.setState({ capabilities: loading(), wanted: true });
  }, [needed]);
  return useCapabilities((state) => state.capabilities);
};
