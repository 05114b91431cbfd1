import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from '../../../../shared/model.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { LoadedView } from '../../../parts/LoadedView.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { moneyWords } from '../../../parts/UsageText.tsx';
import { act } from '../../../stores/act.ts';
import { useSettings } from '../../../stores/settings.ts';
import { useRequest } from '../../../stores/use-request.ts';
import css from './Agent.module.css';
import { draftOf, newDraft, presetName, type ModelDraft } from './model-draft.ts';
import { EmbeddingsPart } from './EmbeddingsPart.tsx';
import { LearnedChoices } from './LearnedChoices.tsx';
import { ModelForm } from './ModelForm.tsx';
import { RequestTools } from './RequestTools.tsx';
import { useFormFocus } from './use-form-focus.ts';

const Row = ({ model, onEdit }: { readonly model: Model; readonly onEdit: () => void }): ReactElement => {
  const { t, i18n } = useTranslation();
  const [asked, setAsked] = useState(false);
  const { id, label, baseUrl, isDefault, hasKey, prices } = model;
  return (
    <li className={css['row']}>
      <div className={css['about']}>
        <p><strong><UntrustedText text={label} maxLength={80} /></strong> {isDefault ? <span className={css['inUse']}>{t('models.in_use')}</span> : null}</p>
        <p className="g-small g-muted">{label === model.model ? null : <><UntrustedText text={model.model} maxLength={80} /> · </>}<UntrustedText text={baseUrl} maxLength={80} /> · {presetName(model) ?? t(`parts.rendering.route.${model.routeId}`)} · {t(hasKey ? 'models.has_key' : 'models.no_key')}{prices === null ? '' : ` · ${t('models.price', { input: moneyWords(prices.input, prices.currency, i18n.language), output: moneyWords(prices.output, prices.currency, i18n.language) })}`}</p>
      </div>
      {asked ? (
        <div className={css['acts']} role="group" aria-label={t('models.remove_name', { name: label })}>
          <span className="g-small">{t('models.remove_means')}</span>
          <Button size="xs" color="danger" variant="outline" onClick={() => void act('models:remove', { id })}>{t('models.remove')}</Button>
          <Button size="xs" onClick={() => setAsked(false)}>{t('models.cancel')}</Button>
        </div>
      ) : (
        <div className={css['acts']}>
          {isDefault ? null : <Button size="xs" aria-label={t('models.use_name', { name: label })} onClick={() => void act('models:use', { id })}>{t('models.use')}</Button>}
          <Button size="xs" aria-label={t('models.edit_name', { name: label })} data-opens={id} onClick={onEdit}>{t('models.change')}</Button>
          <Button size="xs" aria-label={t('models.remove_name', { name: label })} onClick={() => setAsked(true)}>{t('models.remove')}</Button>
        </div>
      )}
    </li>
  );
};

/** Models that may be asked: presets or an address of one's own, keys in the secret store, which is asked where nothing else is named. */
export const ModelsSection = (): ReactElement => {
  const { t } = useTranslation();
  const [version, setVersion] = useState(0);
  const [draft, setDraft] = useState<ModelDraft | null>(null);
  const section = useRef<HTMLElement>(null);
  useFormFocus(section, draft === null ? null : (draft.id ?? 'new'));
  useEffect(() => bridge.on('models:changed', () => setVersion((before) => before + 1)), []);
  const settings = useSettings((s) => s.settings);
  const { state, reload } = useRequest('models:list', {}, version);
  const done = (): void => {
    setDraft(null);
    setVersion((before) => before + 1);
  };
  return (
    <section ref={section} className="g-panel" aria-label={t('app.section.models')}>
      <div className={css['head']}>
        <h2 className="g-heading">{t('app.section.models')}</h2>
        {draft === null ? <Button data-opens="new" onClick={() => setDraft(newDraft())}>{t('models.add')}</Button> : null}
      </div>
      <p className="g-small g-muted">{t('models.about')}</p>
      {draft === null ? null : <ModelForm key={draft.id ?? 'new'} begin={draft} onDone={done} />}
      <LoadedView of={state} what={t('models.reading')} rows={2} retry={reload}>
        {({ models }) => (models.length === 0 ? <p className="g-small g-muted">{t('models.none')}</p> : <ul className={css['rows']}>{models.map((model) => <Row key={model.id} model={model} onEdit={() => setDraft(draftOf(model))} />)}</ul>)}
      </LoadedView>
      <LoadedView of={settings} what={t('settings.reading')}>{(value) => <RequestTools settings={value} />}</LoadedView>
      <EmbeddingsPart />
      <LearnedChoices />
    </section>
  );
};
