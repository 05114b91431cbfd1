import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import css from './Data.module.css';
import { MakeBackup } from './MakeBackup.tsx';
import { RestoreBackup } from './RestoreBackup.tsx';

/** One file of everything that cannot be made again, and the way back from it. */
export const BackupSection = (): ReactElement => {
  const { t } = useTranslation();
  return (
    <section className="g-panel" aria-label={t('app.section.backup')}>
      <h2 className="g-heading">{t('app.section.backup')}</h2>
      <p className={css['hint']}>{t('data.backup.means')}</p>
      <MakeBackup />
      <RestoreBackup />
    </section>
  );
};
