import type { ReactElement } from 'react';
import { useWords } from '../i18n/use-words.ts';
import { wholeNumber } from './times.ts';

export interface ShownUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly estimated: boolean;
  readonly cost: number | null;
  readonly currency: string | null;
}

/** Money in its currency; an amount below a tenth keeps two digits that tell it from nothing. */
export const moneyWords = (amount: number, currency: string | null, language: string): string => {
  const digits = amount > 0 && amount < 0.1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
  try {
    return new Intl.NumberFormat(language, currency === null ? digits : { style: 'currency', currency, ...digits }).format(amount);
  } catch {
    return `${amount} ${currency ?? ''}`;
  }
};

/** Tokens in and out and what they cost; what the provider did not count says that it is estimated. */
export const UsageText = ({ usage }: { readonly usage: ShownUsage }): ReactElement => {
  const { t, language } = useWords();
  const format = wholeNumber(language);
  const { inputTokens, outputTokens, cachedTokens, estimated, cost, currency } = usage;
  return (
    <span title={t('parts.usage.why', { cached: format(cachedTokens) })}>
      {t(estimated ? 'parts.usage.estimated' : 'parts.usage.tokens', { in: format(inputTokens), out: format(outputTokens) })}
      {cost === null ? '' : ` · ${moneyWords(cost, currency, language)}`}
    </span>
  );
};
