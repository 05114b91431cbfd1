import type { GuideLanguage, GuideTexts } from './chapters.ts';

export interface LoadedGuide {
  readonly texts: GuideTexts;
  readonly other: GuideTexts;
  readonly english: GuideTexts;
}

/** The guide in `language`, out of the window's own files: one script for each language, fetched when it is first wanted. Rejects where one cannot be had. */
export const loadGuide = async (language: GuideLanguage): Promise<LoadedGuide> => {
  const [{ texts: english }, { texts: chinese }] = await Promise.all([import('./texts-en.ts'), import('./texts-zh.ts')]);
  return language === 'zh' ? { texts: chinese, other: english, english } : { texts: english, other: chinese, english };
};
