/** The pages of the guide (docs/guide/<language>/<chapter>.md), in the order in which they are read. */
export const CHAPTERS = ['start', 'main-job', 'facts', 'agent', 'questions', 'import', 'data', 'network', 'limits', 'failures', 'keys'] as const;
export type Chapter = (typeof CHAPTERS)[number];
export type GuideLanguage = 'en' | 'zh';
/** The whole text of each page, in Markdown. */
export type GuideTexts = Readonly<Record<Chapter, string>>;
