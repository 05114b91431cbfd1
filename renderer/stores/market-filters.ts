import { create } from 'zustand';

/** What the market's list was narrowed by when it was last on screen, as it stands in an address; null before that. The host is told a moment later. */
export const useMarketFiltersText = create<{ readonly text: string | null }>(() => ({ text: null }));
