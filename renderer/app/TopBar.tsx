import { spotlight } from '@mantine/spotlight';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { UntrustedText } from '../parts/UntrustedText.tsx';
import type { Route } from '../routes.ts';
import { MOD_KEY } from './mod-key.ts';
import classes from './TopBar.module.css';
import { useTrail } from './use-trail.ts';

/** Where am I, and search everything. */
export function TopBar({ route }: { readonly route: Route }) {
  const { t } = useTranslation();
  const trail = useTrail(route);
  const here = trail.at(-1)?.label ?? '';
  useEffect(() => {
    document.title = here === '' ? 'Gantry' : `${here} · Gantry`;
  }, [here]);
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
      <div role="search">
        <button type="button" className={classes['search']} onClick={() => spotlight.open()}>
          {t('app.search.open')}
          <kbd>{MOD_KEY} K</kbd>
        </button>
      </div>
    </div>
  );
}
