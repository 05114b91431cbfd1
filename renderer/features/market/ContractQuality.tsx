import { useTranslation } from 'react-i18next';
import type { MarketEntry } from '../../../shared/market.ts';
import type { Observed } from '../../../shared/market-observed.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import classes from './EntryDetails.module.css';
import { contractQuality } from './contract-quality.ts';

/** How well its tools are declared, counted over all that were observed. Nothing was observed: that is said, never shown as zero. */
export function ContractQuality({ entry, observed }: { readonly entry: MarketEntry; readonly observed: Observed | null }) {
  const { t } = useTranslation();
  if (observed === null) return <p>{t(entry.verified ? 'market.quality.lost' : 'market.quality.unknown')}</p>;
  if (observed.tools.length === 0) return <p>{t('market.quality.noTools')}</p>;
  const { total, states, output, hints, odd } = contractQuality(observed);
  const of = (count: number): string => t('market.quality.of', { count, total });
  return (
    <>
      <dl className={classes['quality']}>
        <Count name={t('market.quality.checked')} words={of(states.checked)} />
        {states.partly_checked > 0 && <Count name={t('market.quality.partly')} words={of(states.partly_checked)} loud />}
        {states.excluded > 0 && <Count name={t('market.quality.excluded')} words={of(states.excluded)} loud />}
        <Count name={t('market.quality.output')} words={output === null ? t('market.quality.notRecorded') : of(output)} />
        <Count name={t('market.quality.hints')} words={of(hints)} />
      </dl>
      {odd.length > 0 && (
        <ul className={classes['rows']}>
          {odd.map((tool) => (
            <li key={tool.name}>
              <code className="g-mono">
                <UntrustedText text={tool.name} maxLength={120} />
              </code>
              <span>{t(`market.quality.state.${tool.schemaState}`)}</span>
              <span className="g-muted">{(tool.defects ?? []).map((code) => t(`parts.schema_defect.${code}`)).join(t('market.quality.comma'))}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Count({ name, words, loud = false }: { readonly name: string; readonly words: string; readonly loud?: boolean }) {
  return (
    <div data-loud={loud}>
      <dt>{name}</dt>
      <dd>{words}</dd>
    </div>
  );
}
