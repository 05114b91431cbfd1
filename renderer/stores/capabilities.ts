import { create } from 'zustand';

/** Grows whenever the host tells that capabilities changed, for what shows some of them to hang on; pages ask for what is in sight. */
export const useCapabilities = create<{ readonly revision: number }>(() => ({ revision: 0 }));
