import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MarketEntry, Preflight } from '../../../shared/market.ts';
import type { Observed } from '../../../shared/market-observed.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { AskedInputs } from './AskedInputs.tsx';
import { ContractQuality } from './ContractQuality.tsx';
import { EntryFacts } from './EntryFacts.tsx';
import { EntryLaunch } from './EntryLaunch.tsx';
import { EntryStanding } from './EntryStanding.tsx';
import { KnownTools } from './KnownTools.tsx';
import classes from './EntryDetails.module.css';
import { described, initialOf, sourceWords } from './source-words.ts';
import { useInstalling } from './use-installing.ts';

interface EntryDetailsProps {
  readonly entry: MarketEntry;
  readonly observed: Observed | null;
  readonly preflight: Preflight | null;
  readonly reload: () => void;
}

/** What is known of an app before it is added: what runs, what it asks for, what was reviewed, how well its tools are declared, where all this comes from. */
export function EntryDetails({ entry, observed, preflight, reload }: EntryDetailsProps) {
  const { t, i18n } = useTranslation();
  const installing = useInstalling().get(entry.id);
  const missing = preflight !== null && preflight.found === null;
  return (
    <article className={classes['entry']}>
      <header className={classes['head']}>
        <div className={classes['who']}>
          <span className={classes['letter']} aria-hidden="true">
            {initialOf(entry.name)}
          </span>
          <div>
            <h1 className="g-title">
              <UntrustedText text={entry.name} maxLength={120} />
            </h1>
            <p className="g-muted">
              <UntrustedText text={sourceWords(entry, t)} maxLength={160} />
            </p>
          </div>
        </div>
        {missing ? (
          <Button onClick={reload}>{t('market.missing.again')}</Button>
        ) : (
          <Button component="a" href={href.addFromMarket(entry.id)} variant={entry.installed.length > 0 || entry.withdrawn || installing ? 'default' : 'filled'}>
            {t(entry.withdrawn ? 'market.addWithdrawn' : entry.installed.length > 0 ? 'market.addAnother' : 'market.add')}
          </Button>
        )}
      </header>
      <p className={classes['about']}>
        <UntrustedText text={described(entry.description, i18n.language)} maxLength={600} />
      </p>
      <EntryStanding entry={entry} missing={missing ? preflight : null} installing={installing} />
      <EntryFacts entry={entry} observed={observed} />
      <section>
        <h2 className="g-heading">{t('market.launch.title')}</h2>
        <EntryLaunch entry={entry} />
      </section>
      <section>
        <h2 className="g-heading">{t('market.fact.needs')}</h2>
        <AskedInputs inputs={entry.inputs} />
      </section>
      <section>
        <h2 className="g-heading">{t('market.quality.title')}</h2>
        <ContractQuality entry={entry} observed={observed} />
      </section>
      <KnownTools entry={entry} observed={observed} />
    </article>
  );
}
