import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallResult, Invocation } from '../../shared/call.ts';
import { FaultView, type ShownFault } from './FaultView.tsx';
import { JsonView } from './JsonView.tsx';
import { UntrustedText } from './UntrustedText.tsx';
import css from './ResultView.module.css';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const base64Bytes = (data: string): number => Math.floor((data.length * 3) / 4);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Contents of a resource, under the name that the server gave them. */
const EmbeddedResource = ({ resource, label }: { readonly resource: Readonly<Record<string, unknown>>; readonly label: string }): ReactElement => {
  const { t } = useTranslation();
  const type = text(resource['mimeType']);
  const blob = resource['blob'];
  return (
    <div>
      <p className={css['binary']}>{t('parts.result.contents_of')}<code><UntrustedText text={text(resource['uri'])} maxLength={500} /></code>{type === '' ? null : <> · <code><UntrustedText text={type} maxLength={80} /></code></>}</p>
      {typeof resource['text'] === 'string' ? <div className={css['text']} tabIndex={0} role="region" aria-label={label}><UntrustedText text={resource['text']} block maxLength={20_000} /></div> : null}
      {typeof blob === 'string' ? <p className={css['binary']}>{t('parts.result.blob', { bytes: base64Bytes(blob) })}</p> : null}
    </div>
  );
};

/** Of a prompt's message: whose part it plays, by the server that wrote it. */
const Role = ({ role }: { readonly role: unknown }): ReactElement | null => {
  const { t } = useTranslation();
  return role === 'user' || role === 'assistant' ? <p className={css['role']} data-role={role}>{t(`parts.result.role.${role}`)}</p> : null;
};

/** One piece of content as text: nothing is fetched, drawn or followed. */
const Piece = ({ block, place }: { readonly block: Readonly<Record<string, unknown>>; /** among several, so that each has a name of its own; null: it is alone */ readonly place: number | null }): ReactElement => {
  const { t } = useTranslation();
  const type = text(block['type']);
  // a landmark is known by its name
  const label = `${t('parts.result.text')}${place === null ? '' : ` ${place}`}`;
  if (type === 'text' && typeof block['text'] === 'string') return <div className={css['text']} tabIndex={0} role="region" aria-label={label}><UntrustedText text={block['text']} block maxLength={20_000} /></div>;
  if (type === 'image' || type === 'audio') {
    return <p className={css['binary']}>{t(`parts.result.${type}`, { bytes: base64Bytes(text(block['data'])) })} <code><UntrustedText text={text(block['mimeType'])} maxLength={80} /></code></p>;
  }
  if (type === 'resource_link') return <p className={css['binary']}>{t('parts.result.link')}<code><UntrustedText text={text(block['uri'])} maxLength={500} /></code></p>;
  const resource = type === 'resource' ? block['resource'] : null;
  if (isRecord(resource)) return <EmbeddedResource resource={resource} label={label} />;
  return <JsonView text={JSON.stringify(block)} label={t('parts.result.piece')} maxHeight={300} />;
};

const Content = ({ result }: { readonly result: CallResult }): ReactElement => {
  const { t, i18n } = useTranslation();
  const structured = result.structuredContent;
  return (
    <>
      {result.content.length === 0 && structured === undefined ? <p className={css['note']}>{t('parts.result.empty')}</p> : null}
      {structured === undefined ? null : <JsonView text={JSON.stringify(structured)} label={t('parts.result.structured')} maxHeight={360} />}
      {result.content.map((block, i) => <div key={i}><Role role={block['role']} /><Piece block={block} place={result.content.length > 1 ? i + 1 : null} /></div>)}
      {Object.keys(result.extra).length === 0 ? null : <JsonView text={JSON.stringify(result.extra)} label={t('parts.result.extra')} maxHeight={200} />}
      {result.masked.length === 0 ? null : (
        <div className={css['masked']}>
          <p>{t('parts.result.masked', { count: result.masked.reduce((n, m) => n + m.count, 0) })}</p>
          <ul>{result.masked.map((m, i) => <li key={i}><code><UntrustedText text={m.place} maxLength={200} /></code> {t('parts.result.masked_kind', { kind: i18n.exists(`parts.result.mask.${m.kind}`) ? t(`parts.result.mask.${m.kind}`) : m.kind, amount: m.count })}</li>)}</ul>
        </div>
      )}
      {result.notes === undefined || result.notes.length === 0 ? null : (
        <div className={css['masked']}>
          <p>{t('parts.result.notes')}</p>
          <ul lang="en">{result.notes.map((note) => <li key={note} className="g-fine"><UntrustedText text={note} maxLength={200} /></li>)}</ul>
        </div>
      )}
      <p className={css['note']}>{t('parts.result.source', { count: result.sizeBytes })} <UntrustedText text={`${result.source.serverName} ${result.source.serverVersion}`} maxLength={120} />{t('parts.result.claims')}</p>
    </>
  );
};

/** The words of a tool's error stand in its content, which is shown whole: the fault does not say them again. */
const withoutRepeats = (fault: ShownFault, result: CallResult | null): ShownFault => {
  if (fault.code !== 'tool_error' || result === null || (result.content.length === 0 && result.structuredContent === undefined)) return fault;
  const { serverWords: _words, ...details } = fault.details ?? {};
  return { ...fault, message: '', details };
};

/** What came of a call, by its class and in words; a failure with its fault, content as plain text, nothing loaded by itself. */
export const ResultView = ({ invocation }: { readonly invocation: Pick<Invocation, 'state' | 'class' | 'code' | 'fault' | 'result' | 'resultFault' | 'grounded'> }): ReactElement | null => {
  const { t } = useTranslation();
  if (invocation.state !== 'completed' && invocation.state !== 'failed') return null;
  const shown = invocation.class ?? 'not_sent';
  return (
    <section className={css['result']} aria-label={t('parts.result.title')}>
      <p className={css['class']} data-class={shown}>
        {t(`parts.result.class.${shown}`)} <code>{shown}</code>
        {invocation.result === null || invocation.grounded ? null : <span className={css['ungrounded']}>{t('parts.result.ungrounded')}</span>}
      </p>
      {invocation.fault === null ? null : <FaultView fault={withoutRepeats(invocation.fault, invocation.result)} />}
      {invocation.result === null ? null : <Content result={invocation.result} />}
      {invocation.resultFault === undefined ? null : <p role="alert" className={css['note']}>{t('parts.result.unreadable')} <code>{invocation.resultFault.code}</code></p>}
    </section>
  );
};
