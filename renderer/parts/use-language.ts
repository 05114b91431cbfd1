import { useTranslation } from 'react-i18next';

/** The tag dates and numbers are written by. */
export const useLanguage = (): string => useTranslation().i18n.language;
