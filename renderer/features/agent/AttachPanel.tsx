import { Button, TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { FunnelReason } from '../../parts/FunnelChart.tsx';
import { isKey, KEYS } from '../../parts/keys.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useCommandedList } from '../../parts/use-commanded-list.ts';
import { href } from '../../routes.ts';
import { useServers } from '../../stores/servers.ts';
import type { AttachedResource, FieldsSlot } from './attached.ts';
import css from './Attach.module.css';
import { TemplateFields } from './TemplateFields.tsx';
import { useReadable } from './use-readable.ts';

interface AttachPanelProps {
  readonly principal: string;
  readonly attached: readonly AttachedResource[];
  readonly full: boolean;
  readonly fields: FieldsSlot;
  readonly onAdd: (resource: AttachedResource) => void;
  readonly onClose: () => void;
}

/** Chooses resources of servers for the next question: searched by words, chosen by arrow keys and Enter; a template asks for its fields first. */
export const AttachPanel = ({ principal, attached, full, fields, onAdd, onClose }: AttachPanelProps): ReactElement => {
  const { t } = useTranslation();
  const id = useId();
  const [words, setWords] = useState('');
  const [template, setTemplate] = useState<CapabilityRow | null>(null);
  const { state, answered, reload } = useReadable(principal, words);
  const rows = state.phase === 'ready' ? state.value.rows : [];
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => { if (template === null) search.current?.focus({ preventScroll: true }); }, [template]);
  const choose = (row: CapabilityRow | undefined): void => {
    if (row === undefined || !row.available || full) return;
    // the braces of RFC 6570: what has none is one resource, and the host answers for the rest
    if (row.id.includes('{')) setTemplate(row);
    else onAdd({ capabilityId: row.id, name: row.title ?? row.name, serverId: row.serverId, input: {} });
  };
  const keys = useCommandedList({ words, ids: rows.map((row) => row.id), answered, takesFirst: true, loops: false, onTake: (rowId) => choose(rows.find((row) => row.id === rowId)) });
  const here = rows.findIndex((row) => row.id === keys.active);
  useEffect(() => { list.current?.children[here]?.scrollIntoView({ block: 'nearest' }); }, [here]);
  const leave = (event: KeyboardEvent): void => {
    if (!isKey(event, KEYS.leave.close) || event.defaultPrevented || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (template === null) onClose();
    else setTemplate(null);
  };
  const isIn = (row: CapabilityRow): boolean => attached.some(({ capabilityId }) => capabilityId === row.id);
  return (
    <section className={css['panel']} aria-label={t('agent.resources.title')} onKeyDown={leave}>
      {template === null ? (
        <>
          <div className={css['head']}>
            <TextInput ref={search} size="xs" type="search" className={css['search']!} role="combobox" aria-expanded={rows.length > 0} aria-controls={`${id}-list`} aria-activedescendant={keys.told < 0 ? undefined : `${id}-${keys.told}`} aria-autocomplete="list" aria-label={t('agent.resources.search')} placeholder={t('agent.resources.search')} value={words}
              onChange={(event) => setWords(event.currentTarget.value)} onKeyDown={keys.onKeyDown} onBlur={keys.onBlur} />
            <Button size="xs" onClick={onClose}>{t('agent.resources.done')}</Button>
          </div>
          <LoadedView of={state} what={t('agent.resources.reading')} rows={3} retry={reload}>
            {({ total }) => rows.length === 0 ? (
              !answered ? <p className={css['note']} role="status">{t('agent.resources.reading')}</p> : words.trim() === '' ? <StateView kind="empty" title={t('agent.resources.none')} body={t('agent.resources.none_body')} action={<Button component="a" size="xs" href={href.servers()}>{t('agent.resources.allow')}</Button>} /> : <p className={css['note']} role="status">{t('agent.resources.nothing_fits')}</p>
            ) : (
              <>
                <div ref={list} id={`${id}-list`} className={css['options']} role="listbox" aria-busy={!answered} aria-label={t('agent.resources.title')} aria-multiselectable="true">
                  {rows.map((row, index) => <Option key={row.id} alone={row.grantedTo.includes(principal)} id={`${id}-${index}`} row={row} here={index === here} chosen={isIn(row)} full={full} onTake={() => { keys.goTo(row.id); choose(row); }} />)}
                </div>
                <p className={css['note']} role="status">{full ? t('agent.resources.full') : total > rows.length ? t('agent.resources.part', { count: rows.length, total }) : t('agent.resources.keys')}</p>
              </>
            )}
          </LoadedView>
        </>
      ) : (
        <TemplateFields row={template} fields={fields} onBack={() => setTemplate(null)} onAdd={(input) => { onAdd({ capabilityId: template.id, name: template.title ?? template.name, serverId: template.serverId, input }); setTemplate(null); }} />
      )}
    </section>
  );
};

interface OptionProps {
  readonly id: string;
  readonly row: CapabilityRow;
  readonly here: boolean;
  readonly chosen: boolean;
  readonly full: boolean;
  /** the agent may read it by itself as well */
  readonly alone: boolean;
  readonly onTake: () => void;
}

const Option = ({ id, row, here, chosen, full, alone, onTake }: OptionProps): ReactElement => {
  const { t } = useTranslation();
  const servers = useServers((s) => s.servers);
  const server = servers.phase === 'ready' ? servers.value.find((one) => one.id === row.serverId)?.name : undefined;
  return (
    // an option of a combobox: the focus and the keys stay in the field (WAI-ARIA, combobox pattern)
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div id={id} role="option" aria-selected={chosen} aria-disabled={!row.available || full || undefined} data-here={here} onMouseDown={(event) => event.preventDefault()} onClick={onTake}>
      <span className={css['name']}><UntrustedText text={row.title ?? row.name} maxLength={80} /> <code><UntrustedText text={row.id.slice(`mcp:${row.serverId}:resource:`.length)} maxLength={120} /></code></span>
      <span className={css['of']}><UntrustedText text={server ?? row.serverId} maxLength={40} />{alone || !row.available ? null : <> · {t('agent.resources.once')}</>}</span>
      {chosen ? <span className={css['chosen']}>{t('agent.resources.chosen')}</span> : row.available ? <TierBadge tier={row.tier} /> : <span className={css['of']}><FunnelReason reason={row.unavailableReason ?? 'unavailable'} /></span>}
    </div>
  );
};
