import { Button, NumberInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../../shared/fault.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { href } from '../../../routes.ts';
import { useSettings } from '../../../stores/settings.ts';
import { SettingField } from '../SettingField.tsx';
import css from './Agent.module.css';

type Limit = 'toolsPerRequest' | 'toolTokensPerRequest';
const BOUNDS: Readonly<Record<Limit, readonly [number, number]>> = { toolsPerRequest: [1, 1000], toolTokensPerRequest: [500, 500_000] };

/** A number, or nothing; what is out of bounds goes back to what holds. */
const LimitInput = ({ limit, value, onSave }: { readonly limit: Limit; readonly value: number | null; readonly onSave: (value: number | null) => void }): ReactElement => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<number | string>(value ?? '');
  useEffect(() => setDraft(value ?? ''), [value]);
  const [min, max] = BOUNDS[limit];
  const save = (): void => {
    const next = draft === '' ? null : typeof draft === 'number' && draft >= min && draft <= max ? draft : value;
    if (next === value) setDraft(value ?? '');
    else onSave(next);
  };
  return <NumberInput size="xs" w={140} hideControls clampBehavior="none" allowNegative={false} allowDecimal={false} thousandSeparator="," min={min} max={max} aria-label={t(`models.request.${limit}`)} placeholder={t('models.request.by_route')} value={draft} onChange={setDraft} onBlur={save} onKeyDown={(e) => { if (e.key === 'Enter') save(); }} />;
};

/** How many tools one request to a model carries, and which come first. */
export const RequestTools = ({ settings }: { readonly settings: Settings }): ReactElement => {
  const { t } = useTranslation();
  const [fault, setFault] = useState<Fault | null>(null);
  const save = async (change: Partial<Settings>): Promise<void> => {
    setFault(null);
    const answer = await bridge.request('settings:set', change);
    if (answer.ok) useSettings.setState({ settings: { phase: 'ready', value: answer.value.settings } });
    else setFault(answer.error);
  };
  const { pinnedTools } = settings;
  return (
    <section className={css['request']} aria-label={t('models.request.title')}>
      <h3 className="g-heading">{t('models.request.title')}</h3>
      <p className="g-small g-muted">{t('models.request.about')}</p>
      <SettingField name={t('models.request.toolsPerRequest')} hint={t('models.request.toolsPerRequest_why')}><LimitInput limit="toolsPerRequest" value={settings.toolsPerRequest} onSave={(toolsPerRequest) => void save({ toolsPerRequest })} /></SettingField>
      <SettingField name={t('models.request.toolTokensPerRequest')} hint={t('models.request.toolTokensPerRequest_why')}><LimitInput limit="toolTokensPerRequest" value={settings.toolTokensPerRequest} onSave={(toolTokensPerRequest) => void save({ toolTokensPerRequest })} /></SettingField>
      <div>
        <h4 className={css['pinnedHead']}>{t('models.request.pinned')}</h4>
        <p className="g-small g-muted">{t(pinnedTools.length === 0 ? 'models.request.pinned_none' : 'models.request.pinned_why')}</p>
        {pinnedTools.length === 0 ? null : (
          <ul className={css['pinned']}>
            {pinnedTools.map((id) => <li key={id}><a href={href.capability(id)}><UntrustedText text={id} maxLength={200} /></a><Button size="xs" aria-label={t('models.request.unpin_name', { name: id })} onClick={() => void save({ pinnedTools: pinnedTools.filter((one) => one !== id) })}>{t('models.request.unpin')}</Button></li>)}
          </ul>
        )}
      </div>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </section>
  );
};
