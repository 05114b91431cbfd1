import { create } from 'zustand';

/** What lies over the page: the search over everything, the list of keys, or nothing. */
export const useOverlay = create<{ readonly shown: 'nothing' | 'search' | 'keys' }>(() => ({ shown: 'nothing' }));
export const showOverlay = (shown: 'nothing' | 'search' | 'keys'): void => useOverlay.setState({ shown });
