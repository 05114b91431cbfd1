import type { TFunction } from 'i18next';
import type { MarketEntry } from '../../../shared/market.ts';

/** Who publishes it, and from where it comes. */
export const sourceWords = (entry: MarketEntry, t: TFunction): string => `${entry.publisher} · ${t(`market.facet.kind.${entry.kind}`)}`;

/** The description in the language shown. */
export const described = (text: { readonly en: string; readonly zh: string }, language: string): string => (language === 'zh' ? text.zh : text.en);

/** A day that is written as 2026-11-29, in the language shown; anything else as it is. */
export const dayWords = (day: string, language: string): string => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? day : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
};

/** A size on disk in whole megabytes, in the language shown. */
export const sizeWords = (bytes: number, language: string): string => new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 }).format(Math.max(1, bytes / 1e6));
