import type { TFunction } from 'i18next';
import type { MarketEntry } from '../../../shared/market.ts';
import { MARKET_CATEGORIES, type MarketCategory } from '../../../shared/market-categories.ts';
import type { FacetName } from '../../../shared/market-facets.ts';
import type { Installing } from './use-installing.ts';

/** Who publishes it, and from where it comes. */
export const sourceWords = (entry: Pick<MarketEntry, 'publisher' | 'kind'>, t: TFunction): string => `${entry.publisher} · ${t(`market.facet.kind.${entry.kind}`)}`;

/** The description in the language shown. */
export const described = (text: { readonly en: string; readonly zh: string }, language: string): string => (language === 'zh' ? text.zh : text.en);

/** A facet's value in the language shown. */
export const facetWords = (name: FacetName, value: string, t: TFunction, language: string): string =>
  name === 'category' ? described(MARKET_CATEGORIES[value as MarketCategory], language) : name === 'tier' ? t(`parts.tier.${value}`) : t(`market.facet.${name}.${value}`);

/** The first letter or digit of a name, for its tile. */
export const initialOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase() ?? '·';

/** How much of the present step is done, in whole percent; null where that is not known. */
export const shareDone = ({ done, total }: Pick<Installing, 'done' | 'total'>): number | null => (done === undefined || total === undefined || total <= 0 ? null : Math.min(100, Math.floor((100 * done) / total)));

/** A day that is written as 2026-11-29, in the language shown; anything else as it is. */
export const dayWords = (day: string, language: string): string => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? day : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
};
