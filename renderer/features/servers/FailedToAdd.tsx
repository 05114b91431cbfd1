import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import classes from './Form.module.css';
import { scriptsOf } from './scripts-of.ts';

/** What failed, what was not done, and the ways on; install scripts are allowed by name only. */
export function FailedToAdd({ fault, onBack, onAgain }: { readonly fault: Fault; readonly onBack: () => void; readonly onAgain: (allowScripts: readonly string[]) => void }) {
  const { t } = useTranslation();
  const scripts = fault.code === 'scripts_needed' ? scriptsOf(fault) : [];
  return (
    <div className="g-panel">
      <h1 className="g-title">{t('servers.add.failed')}</h1>
      <p className="g-muted">{t('servers.add.notDone')}</p>
      <FaultView fault={fault} {...(scripts.length === 0 ? { retry: () => onAgain([]) } : {})} />
      <div className={classes['foot']}>
        {scripts.length > 0 && (
          <Button color="danger" variant="outline" onClick={() => onAgain(scripts)}>
            {t('servers.add.allowScripts', { names: scripts.join(', ') })}
          </Button>
        )}
        <Button onClick={onBack}>{t('servers.add.back')}</Button>
      </div>
    </div>
  );
}
