import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ImportResult, ImportServer } from '../../../shared/import.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import classes from './Import.module.css';

interface DoneStepProps {
  readonly servers: readonly ImportServer[];
  readonly results: readonly ImportResult[];
  readonly waiting: readonly string[];
  readonly onBack: () => void;
  readonly onMore: () => void;
}

/** What became of each, as it comes; each leads to its server, which is switched off. */
export function DoneStep({ servers, results, waiting, onBack, onMore }: DoneStepProps) {
  const { t } = useTranslation();
  const failed = results.some((one) => one.outcome === 'failed');
  return (
    <>
      <p className={classes['lead']}>{t('import.done.about')}</p>
      <ul className={classes['list']} aria-live="polite">
        {servers.map((server) => {
          const result = results.find((one) => one.key === server.key);
          return (
            <li key={server.key} className="g-panel">
              <div className={classes['head']}>
                <span className={classes['name']}><UntrustedText text={result?.name ?? server.name} maxLength={80} /></span>
                <span className={result?.outcome === 'failed' ? 'g-awaits' : 'g-muted'}>
                  {result === undefined ? t(waiting[0] === server.key ? 'import.done.working' : 'import.done.waiting') : t(`import.done.${result.outcome}`)}
                  {result?.replaced != null && ` ${t('import.done.replaced')}`}
                </span>
                {result?.serverId != null && (
                  <Button component="a" href={href.server(result.serverId)} variant="subtle">
                    {t('import.done.open', { name: result.name })}
                  </Button>
                )}
              </div>
              {result?.fault && <FaultView fault={{ ...result.fault }} compact />}
            </li>
          );
        })}
      </ul>
      <div className={classes['foot']}>
        <Button component="a" href={href.servers()} variant="filled">{t('import.done.servers')}</Button>
        {failed && <Button onClick={onBack} disabled={waiting.length > 0}>{t('import.back')}</Button>}
        <Button variant="subtle" disabled={waiting.length > 0} onClick={onMore}>{t('import.done.more')}</Button>
      </div>
    </>
  );
}
