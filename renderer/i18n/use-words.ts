import i18next, { type TFunction } from 'i18next';
import { create } from 'zustand';

/**
 * The words of the language shown, for what is drawn by the hundred: cells of lists and cards. One subscription of a store, where `useTranslation` has a
 * dozen hooks and a listener of its own for each place. start-i18n.ts fills it.
 */
export const useWords = create<{ readonly t: TFunction; readonly language: string }>(() => ({ t: i18next.t, language: 'en' }));
