import type { TFunction } from 'i18next';
import type { MarketEntry } from '../../../shared/market.ts';

/** Who publishes it, and from where it comes. */
export const sourceWords = (entry: MarketEntry, t: TFunction): string => `${entry.publisher} · ${t(`market.facet.kind.${entry.spec.kind}`)}`;

/** The description in the language shown. */
export const described = (text: { readonly en: string; readonly zh: string }, language: string): string => (language === 'zh' ? text.zh : text.en);
