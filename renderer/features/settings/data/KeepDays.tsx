import { NumberInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { act } from '../../../stores/act.ts';
import { useSettings } from '../../../stores/settings.ts';
import { SettingField } from '../SettingField.tsx';

const MOST = 36_500;

/** How many days ended runs are kept; 0 keeps everything. */
export const KeepDays = (): ReactElement | null => {
  const { t } = useTranslation();
  const kept = useSettings((s) => (s.settings.phase === 'ready' ? s.settings.value.keepHistoryDays : null));
  const [days, setDays] = useState<number | string>(kept ?? 0);
  useEffect(() => setDays(kept ?? 0), [kept]);
  if (kept === null) return null;
  const save = (): void => {
    if (typeof days === 'number' && Number.isInteger(days) && days >= 0 && days <= MOST && days !== kept) void act('settings:set', { keepHistoryDays: days });
    else setDays(kept);
  };
  return (
    <SettingField name={t('data.history.keep')} hint={t('data.history.keep_hint')}>
      <NumberInput size="xs" w={110} aria-label={t('data.history.keep_name')} min={0} max={MOST} allowDecimal={false} clampBehavior="none" suffix={t('data.history.days')} value={days} onChange={setDays} onBlur={save} onKeyDown={(e) => { if (e.key === 'Enter') save(); }} />
    </SettingField>
  );
};
