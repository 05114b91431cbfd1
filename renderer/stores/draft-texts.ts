/** What a person wrote and has not sent, by where it was written: it is there when they come back to it. In this window alone; nothing of it is on disk. */
export type Drafts = ReadonlyMap<string, unknown>;

/** Those left longest ago go first: files are kept whole. */
export const MOST_DRAFTS = 60;
/** UTF-16 units of one text; a longer one is there until the window is loaded again. */
export const LONGEST_OVER_RELOAD = 100_000;

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** What is empty is no draft. */
export const withDraft = (drafts: Drafts, place: string, value: unknown): Drafts => {
  const others = [...drafts].filter(([known]) => known !== place);
  return new Map(isEmpty(value) ? others : [...others.slice(1 - MOST_DRAFTS), [place, value]]);
};

/** Of the conversation that is gone, all of it. */
export const withoutConversation = (drafts: Drafts, conversationId: string): Drafts => new Map([...drafts].filter(([place]) => !place.endsWith(` ${conversationId}`)));

/** The texts as the window's own session keeps them over a reload: the newest that fit. */
export const textsOf = (drafts: Drafts): string => {
  const texts: (readonly [string, string])[] = [];
  let room = LONGEST_OVER_RELOAD;
  for (const [place, value] of [...drafts].reverse()) {
    if (typeof value !== 'string' || value.length > room) continue;
    room -= value.length;
    texts.unshift([place, value]);
  }
  return JSON.stringify(texts);
};

/** What was kept; of something that is no draft, nothing. */
export const readTexts = (text: string | null): Drafts => {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    return new Map((Array.isArray(kept) ? kept : []).flatMap((one: unknown) => (Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'string' ? [[one[0], one[1]] as const] : [])).slice(-MOST_DRAFTS));
  } catch {
    return new Map();
  }
};
