import { Modal, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { KEYS, type KeyGroup } from '../parts/keys.ts';
import { act } from '../stores/act.ts';
import { showOverlay, useOverlay } from '../stores/overlay.ts';
import { useSettings } from '../stores/settings.ts';
import classes from './KeysDialog.module.css';
import { MOD_KEY } from './mod-key.ts';

const GROUPS = Object.keys(KEYS) as readonly KeyGroup[];

/** Every key there is, from the table that the code reads them from; and the switch for those without Ctrl or Cmd. */
export function KeysDialog() {
  const { t } = useTranslation();
  const shown = useOverlay((state) => state.shown === 'keys');
  const letters = useSettings((state) => state.settings.phase !== 'ready' || state.settings.value.letterKeys);
  return (
    <Modal opened={shown} onClose={() => showOverlay('nothing')} title={t('app.keys.title')} size={720} closeButtonProps={{ 'aria-label': t('app.keys.close') }}>
      <div className={classes['groups']}>
        {GROUPS.map((group) => (
          <section key={group} aria-label={t(`app.keys.group.${group}`)}>
            <h3 className="g-heading">{t(`app.keys.group.${group}`)}</h3>
            <dl>
              {Object.entries(KEYS[group]).map(([name, keys]) => (
                <div key={name}>
                  <dt>{t(`app.keys.${group}.${name}`)}</dt>
                  <dd>
                    {(keys as readonly string[]).map((key, at) => (
                      <span key={key}>
                        {at > 0 && <span className={classes['or']}>{t('app.keys.or')}</span>}
                        <Press keys={key} />
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className={classes['note']}>{t('app.keys.note', { mod: MOD_KEY })}</p>
      <Switch checked={letters} label={t('app.keys.letters', { mod: MOD_KEY })} description={t('app.keys.lettersHint')} onChange={(event) => void act('settings:set', { letterKeys: event.currentTarget.checked })} />
    </Modal>
  );
}

/** One press, or two after one another, as keys. */
function Press({ keys }: { readonly keys: string }) {
  const { t } = useTranslation();
  const named = (key: string): string => (key === 'Mod' ? MOD_KEY : key.length > 1 ? t(`app.keys.key.${key}`) : key === key.toLowerCase() && /[a-z]/.test(key) ? key.toUpperCase() : key);
  return (
    <>
      {keys.split(' ').map((press, at) => (
        <span key={press}>
          {at > 0 && <span className={classes['or']}>{t('app.keys.then')}</span>}
          {press.split(/\+(?=.)/).map((key) => (
            <kbd key={key} className={classes['key']}>
              {named(key)}
            </kbd>
          ))}
        </span>
      ))}
    </>
  );
}
