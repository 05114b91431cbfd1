import { useTranslation } from 'react-i18next';

/** A place of a value in a person's words; anything else stays as it is. */
export const usePlaceWords = (): ((place: string) => string) => {
  const { t } = useTranslation();
  return (place) => {
    const [, kind, rest] = /^(arg|written|env|header|url\.query|url\.path)\.(.+)$/s.exec(place) ?? [];
    if (kind === undefined || rest === undefined) return ['command', 'cwd', 'url'].includes(place) ? t(`import.place.${place}`) : place;
    return t(`import.place.${kind.replace('.', '_')}`, { name: rest });
  };
};
