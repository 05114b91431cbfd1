import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Settings } from '../../shared/settings.ts';
import { resources } from './resources.ts';
import { useWords } from './use-words.ts';

export type Language = 'en' | 'zh';

/** The language to show: the person's choice, else the system's when it is Chinese, else English. */
export const languageOf = (setting: Settings['language'], system: readonly string[]): Language => {
  if (setting !== 'system') return setting;
  const known = system.map((tag) => tag.toLowerCase().split('-')[0]).find((language) => language === 'en' || language === 'zh');
  return known === 'zh' ? 'zh' : 'en';
};

/** React escapes what it renders, so i18next must not escape once more. A missing key shows itself in a test, not to a person. */
export const startI18n = (language: Language): void => {
  void i18next.use(initReactI18next).init({
    resources: { en: { translation: resources.en }, zh: { translation: resources.zh } },
    lng: language,
    fallbackLng: 'en',
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  show(language);
};

/** Changes the language of words, dates and numbers at once, without a reload. */
export const changeLanguage = (language: Language): void => {
  if (i18next.language !== language) void i18next.changeLanguage(language);
  show(language);
};

const show = (language: Language): void => {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  if (useWords.getState().language !== language) useWords.setState({ t: i18next.t, language });
};
