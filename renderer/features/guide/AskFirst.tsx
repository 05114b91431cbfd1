import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FaultView } from '../../parts/FaultView.tsx';
import classes from './Guide.module.css';
import type { AskFirstState } from './use-ask-first.ts';

/** What has to be done before the tool asks, or that it does. */
export function AskFirst({ name, first }: { readonly name: string; readonly first: AskFirstState }) {
  const { t } = useTranslation();
  if (!first.needed && !first.asks) return null;
  return (
    <div className={classes['ask']}>
      {first.asks ? (
        <p role="status">{t('guide.ask.asks', { name })}</p>
      ) : (
        <>
          <p>{t('guide.ask.body')}</p>
          <Button variant="filled" onClick={() => void first.ask()}>
            {t('guide.ask.do', { name })}
          </Button>
        </>
      )}
      {first.failure && <FaultView fault={first.failure} compact />}
    </div>
  );
}
