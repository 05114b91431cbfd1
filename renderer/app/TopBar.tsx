import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { UntrustedText } from '../parts/UntrustedText.tsx';
import type { Route } from '../routes.ts';
import { useHealth } from '../stores/health.ts';
import { useWaitingQuestions } from '../stores/questions.ts';
import { showOverlay } from '../stores/overlay.ts';
import { MOD_KEY } from './mod-key.ts';
import classes from './TopBar.module.css';
import { useTrail } from './use-trail.ts';

/** Where am I, and search everything. */
export function TopBar({ route }: { readonly route: Route }) {
  const { t } = useTranslation();
  const trail = useTrail(route);
  const here = trail.at(-1)?.label ?? '';
  const waiting = useHealth((state) => (state.health.phase === 'ready' ? state.health.value.awaitingApprovals : 0)) + useWaitingQuestions().length;
  useEffect(() => {
    // the number is seen in a tab or a task bar too; what waits comes first because the end is cut off there
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${here === '' ? 'Gantry' : `${here} · Gantry`}`;
  }, [here, waiting]);
  return (
    <div className={classes['top']}>
      <nav aria-label={t('app.whereAmI')}>
        <ol className={classes['crumbs']}>
          {trail.map((crumb, at) =>
            at === trail.length - 1 ? (
              <li key={crumb.label} aria-current="page">
                <UntrustedText text={crumb.label} />
              </li>
            ) : (
              <li key={crumb.label}>
                <a href={crumb.to}>{crumb.label}</a>
                <span aria-hidden="true">/</span>
              </li>
            ),
          )}
        </ol>
      </nav>
      <div role="search" className={classes['end']}>
        <button type="button" className={classes['search']} onClick={() => showOverlay('search')}>
          {t('app.search.open')}
          <kbd>{MOD_KEY} K</kbd>
        </button>
        <button type="button" className={classes['keys']} aria-label={t('app.keys.show')} title={t('app.keys.show')} onClick={() => showOverlay('keys')}>
          <kbd aria-hidden="true">?</kbd>
        </button>
      </div>
    </div>
  );
}
