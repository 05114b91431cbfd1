import { create } from 'zustand';

/** Which question of a server this window shows in its dialog: asked for by a click, an address, or a try-out made here. */
export const useOpenQuestion = create<{ readonly questionId: string | null }>(() => ({ questionId: null }));
export const openQuestion = (questionId: string): void => useOpenQuestion.setState({ questionId });
export const closeQuestion = (): void => useOpenQuestion.setState({ questionId: null });
