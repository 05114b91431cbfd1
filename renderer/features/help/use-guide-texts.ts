import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GuideLanguage } from './chapters.ts';
import { loadGuide, type LoadedGuide } from './load-guide.ts';

type State = { readonly phase: 'loading' } | { readonly phase: 'failed' } | { readonly phase: 'ready'; readonly language: GuideLanguage; readonly guide: LoadedGuide };

/** The guide in the language shown. The former one stays until the other is there. */
export const useGuideTexts = (): { readonly state: State; readonly again: () => void } => {
  const { i18n } = useTranslation();
  const language: GuideLanguage = i18n.language === 'zh' ? 'zh' : 'en';
  const [state, setState] = useState<State>({ phase: 'loading' });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let current = true;
    loadGuide(language).then(
      (guide) => current && setState({ phase: 'ready', language, guide }),
      () => current && setState({ phase: 'failed' }),
    );
    return () => {
      current = false;
    };
  }, [language, turn]);
  return {
    state,
    again: () => {
      setState({ phase: 'loading' });
      setTurn(turn + 1);
    },
  };
};
