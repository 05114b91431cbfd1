import { useTranslation } from 'react-i18next';
import type { MarketInput } from '../../../shared/market.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import classes from './EntryDetails.module.css';
import { described } from './source-words.ts';

/** Each value it takes: whether it has to be there, where it goes, whether it is sealed, what it may be. */
export function AskedInputs({ inputs }: { readonly inputs: readonly MarketInput[] }) {
  const { t, i18n } = useTranslation();
  if (inputs.length === 0) return <p>{t('market.fact.needsNothing')}</p>;
  return (
    <ul className={classes['rows']}>
      {inputs.map((input) => (
        <li key={`${input.target} ${input.name}`}>
          <span>
            <UntrustedText text={described(input.label, i18n.language)} maxLength={160} />
          </span>
          <span>{t(input.required ? 'market.fact.inputRequired' : 'market.fact.inputOptional')}</span>
          <span className="g-muted">
            {t(`market.fact.goes.${input.target}`)}{' '}
            <code className="g-mono">
              <UntrustedText text={input.name} maxLength={120} />
            </code>
            {input.secret && ` · ${t('market.fact.inputSecret')}`}
            {input.default !== undefined && (
              <>
                {' · '}
                {t('market.fact.inputDefault')} <UntrustedText text={input.default} maxLength={120} />
              </>
            )}
            {input.choices && (
              <>
                {' · '}
                {t('market.fact.inputChoices')} <UntrustedText text={input.choices.join(', ')} maxLength={120} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
