import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Embeddings, EmbeddingsStatus } from '../../../../shared/embeddings.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { LoadedView } from '../../../parts/LoadedView.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { act } from '../../../stores/act.ts';
import { useRequest } from '../../../stores/use-request.ts';
import css from './Agent.module.css';
import { hostOf } from './embeddings-draft.ts';
import { EmbeddingsForm } from './EmbeddingsForm.tsx';
import { EmbeddingsStanding } from './EmbeddingsStanding.tsx';
import { useFormFocus } from './use-form-focus.ts';

const Kept = ({ embeddings, status, onEdit, onRemoved }: { readonly embeddings: Embeddings; readonly status: EmbeddingsStatus; readonly onEdit: () => void; readonly onRemoved: () => void }): ReactElement => {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const { model, baseUrl, isLocal, hasKey, enabled } = embeddings;
  const remove = async (): Promise<void> => {
    if ((await act('embeddings:remove', {})) !== null) onRemoved();
  };
  return (
    <>
      <div className={css['row']}>
        <div className={css['about']}>
          <p><strong><UntrustedText text={model} maxLength={80} /></strong> {isLocal ? <span className={css['inUse']}>{t('models.embeddings.local')}</span> : null}</p>
          <p className="g-small g-muted"><UntrustedText text={baseUrl} maxLength={80} /> · {t(hasKey ? 'models.embeddings.has_key' : 'models.embeddings.no_key')}</p>
        </div>
        {asked ? (
          <div className={css['acts']} role="group" aria-label={t('models.embeddings.remove')}>
            <span className="g-small">{t('models.embeddings.remove_means')}</span>
            <Button size="xs" color="danger" variant="outline" onClick={() => void remove()}>{t('models.embeddings.remove_ask')}</Button>
            <Button size="xs" onClick={() => setAsked(false)}>{t('models.embeddings.cancel')}</Button>
          </div>
        ) : (
          <div className={css['acts']}>
            <Button size="xs" onClick={() => void act('embeddings:set', { enabled: !enabled })}>{t(enabled ? 'models.embeddings.off' : 'models.embeddings.on')}</Button>
            <Button size="xs" data-opens="endpoint" onClick={onEdit}>{t('models.embeddings.edit')}</Button>
            <Button size="xs" onClick={() => setAsked(true)}>{t('models.embeddings.remove')}</Button>
          </div>
        )}
      </div>
      <EmbeddingsStanding status={status} />
      <p className="g-small g-muted">{t('models.embeddings.goes_out')} {isLocal ? t('models.embeddings.local_means') : t('models.embeddings.remote_means', { host: hostOf(baseUrl) })}</p>
    </>
  );
};

/** The optional embeddings endpoint: set, tried, switched off, removed; what goes there, how far it is, and whether it helps. */
export const EmbeddingsPart = (): ReactElement => {
  const { t } = useTranslation();
  const [version, setVersion] = useState(0);
  const [editing, setEditing] = useState(false);
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useFormFocus(section, editing ? 'endpoint' : null);
  useEffect(() => bridge.on('embeddings:changed', () => setVersion((before) => before + 1)), []);
  const { state, reload } = useRequest('embeddings:get', {}, version);
  const done = (): void => {
    setEditing(false);
    setVersion((before) => before + 1);
  };
  const removed = (): void => {
    setVersion((before) => before + 1);
    heading.current?.focus();
  };
  return (
    <section ref={section} className={`${css['request']} ${css['embeddings']}`} aria-label={t('models.embeddings.title')}>
      <h3 ref={heading} tabIndex={-1} className="g-heading">{t('models.embeddings.title')}</h3>
      <p className="g-small g-muted">{t('models.embeddings.about')}</p>
      <LoadedView of={state} what={t('models.embeddings.reading')} rows={2} retry={reload}>
        {({ embeddings, status }) => {
          if (editing) return <EmbeddingsForm kept={embeddings} onDone={done} />;
          if (embeddings === null) return <div className={css['learned']}><p>{t('models.embeddings.none')}</p><Button size="xs" data-opens="endpoint" onClick={() => setEditing(true)}>{t('models.embeddings.add')}</Button></div>;
          return <Kept embeddings={embeddings} status={status} onEdit={() => setEditing(true)} onRemoved={removed} />;
        }}
      </LoadedView>
    </section>
  );
};
