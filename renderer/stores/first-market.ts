import { create } from 'zustand';
import type { OutputOf } from '../../shared/contract/contract.ts';

/** The market's first cards, as they came with the window's first data: for the list that is drawn first. Gone once taken, or when a server has changed. */
export const useFirstMarket = create<{ readonly answer: OutputOf<'market:browse'> | null }>(() => ({ answer: null }));
export const forgetFirstMarket = (): void => {
  if (useFirstMarket.getState().answer !== null) useFirstMarket.setState({ answer: null });
};
