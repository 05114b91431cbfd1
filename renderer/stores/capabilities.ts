import { create } from 'zustand';
import type { Capability } from '../../shared/capability.ts';
import { loading, type Mirror } from './mirror.ts';

/** Mirror of `capabilities:list`: all of them, of every server. `revision` grows with every change and is for effects to hang on. */
export const useCapabilities = create<{ readonly capabilities: Mirror<readonly Capability[]>; readonly revision: number }>(() => ({ capabilities: loading(), revision: 0 }));
