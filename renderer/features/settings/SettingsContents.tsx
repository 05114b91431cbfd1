import type { MouseEvent, ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { href, SETTINGS_SECTIONS, type SettingsSection } from '../../routes.ts';
import { sectionsWithout, useShell } from '../../stores/shell.ts';
import css from './Settings.module.css';

/** The sections of the page by their names. A click scrolls there and keeps what is being written; opened anew, a link is the section's own address. */
export const SettingsContents = ({ page }: { readonly page: RefObject<HTMLElement | null> }): ReactElement => {
  const { t } = useTranslation();
  const shell = useShell((state) => state.shell);
  const without = sectionsWithout(shell);
  const go = (event: MouseEvent, section: SettingsSection): void => {
    const place = page.current?.querySelector<HTMLElement>(`[data-section="${section}"] > *`);
    if (!place || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    place.scrollIntoView({ block: 'start' });
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  };
  return (
    <nav className={css['contents']} aria-label={t('settings.contents')}>
      <ul>
        {SETTINGS_SECTIONS.filter((section) => !without.includes(section)).map((section) => (
          <li key={section}>
            <a href={href.settings(section)} onClick={(event) => go(event, section)}>
              {t(`app.section.${section}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};
