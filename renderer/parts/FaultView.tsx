import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../shared/fault.ts';
import { becauseOf } from './because-of.ts';
import { CopyButton } from './CopyButton.tsx';
import { OpenSecrets } from './OpenSecrets.tsx';
import { unfitWords } from './unfit-words.ts';
import { UntrustedText } from './UntrustedText.tsx';
import css from './FaultView.module.css';

/** A fault may come from an older host or another window: its code is not trusted to be one of ours. */
export type ShownFault = Omit<Fault, 'code'> & { readonly code: string };

/** Somebody decided so: nothing is broken. */
const DECIDED = new Set(['denied', 'cancelled', 'stopped', 'approval_expired', 'approval_void', 'install_cancelled']);

/** Why an approval became void is told as a cause of its own. */
const voidCause = (fault: ShownFault, exists: (key: string) => boolean): string | null => {
  const key = `parts.void.${String(fault.details?.['cause'])}`;
  return fault.code === 'approval_void' && exists(key) ? key : null;
};

/** What a remote address answered with, where the fault says so. */
const Answered = ({ details }: { readonly details: ShownFault['details'] }): ReactElement | null => {
  const { t } = useTranslation();
  const [status, contentType] = [details?.['status'], details?.['contentType']];
  const words = [...(typeof status === 'number' ? [`HTTP ${status}`] : []), ...(typeof contentType === 'string' ? [contentType === 'null' ? t('parts.fault.no_content') : contentType] : [])].join(' · ');
  return words === '' ? null : <p className={css['detail']}>{t('parts.fault.answered')}<UntrustedText text={words} maxLength={120} /></p>;
};

/** What the server said, marked as its words; not where the message repeats it. */
const Said = ({ fault: { details, message } }: { readonly fault: ShownFault }): ReactElement | null => {
  const { t } = useTranslation();
  const words = details?.['serverWords'];
  if (typeof words !== 'string' || words === '' || message.includes(words.slice(0, 100))) return null;
  return <p className={css['detail']}>{t('parts.fault.server_says')}<UntrustedText text={words} maxLength={400} /></p>;
};

/** A server's field by its label, as the forms name it: `/spec/command`, `spec.package`. Other places are shown as they are. */
const labelOf = (field: string, exists: (key: string) => boolean): string | null => {
  const last = /^\/?(?:server[./])?spec[./]([a-z]+)/i.exec(field)?.[1] ?? null;
  return last !== null && exists(`parts.fault.fields.${last}`) ? `parts.fault.fields.${last}` : null;
};

/** What happened, in our words with the code beside it; what to do; the host's own message with its particulars as small print, in a window of another language behind the details; details to copy. */
export const FaultView = ({ fault, retry, compact = false, page = false, opens = true }: { readonly fault: ShownFault; readonly retry?: () => void; readonly compact?: boolean; /** it is all there is on its page, and so its heading */ readonly page?: boolean; /** false: its place has a button of its own that opens the secret store */ readonly opens?: boolean }): ReactElement => {
  const { t, i18n } = useTranslation();
  const Sentence = page ? 'h1' : 'p';
  const known = i18n.exists(`code.${fault.code}.sentence`);
  const sentence = known ? t(`code.${fault.code}.sentence`) : t('parts.fault.unknown_code');
  const cause = voidCause(fault, (key) => i18n.exists(key));
  const label = fault.field === undefined ? null : labelOf(fault.field, (key) => i18n.exists(key));
  const remedy = known ? t(becauseOf(fault, (key) => i18n.exists(key)) ?? `code.${fault.code}.remedy`) : t('parts.fault.unknown_remedy');
  // the host writes English: where the window speaks another language and has words for the code, it stands with the details
  const english = !known || i18n.language.startsWith('en');
  const said = fault.message === '' ? null : <p className={css['host']} lang="en"><UntrustedText text={fault.message} maxLength={400} /></p>;
  const locked = opens && fault.code === 'secret_store_locked';
  const unfit = fault.code === 'invalid_input' && typeof fault.details?.['keyword'] === 'string' ? unfitWords(fault, t, (key) => i18n.exists(key)) : sentence;
  return (
    <div className={css['fault']} role="alert" data-compact={compact} data-decided={DECIDED.has(fault.code)}>
      <Sentence className={css['sentence']}>
        {sentence} <code className={css['code']}>{fault.code}</code>
      </Sentence>
      <p className={css['remedy']}>{remedy}</p>
      {fault.field === undefined ? null : <p className={css['detail']}>{t('parts.fault.field')}{label === null ? <code><UntrustedText text={fault.field === '' ? '/' : fault.field} maxLength={200} /></code> : <span title={fault.field}>{t(label)}</span>}</p>}
      <Answered details={fault.details} />
      <Said fault={fault} />
      {cause === null ? null : <p className={css['detail']}>{t(cause)}</p>}
      {unfit === sentence ? null : <p className={css['detail']}>{unfit}</p>}
      {english ? said : null}
      {fault.details === undefined && (english || said === null) ? null : (
        <details className={css['more']}>
          <summary>{t('parts.fault.details')}</summary>
          {english ? null : said}
          {fault.details === undefined ? null : <pre className={css['pre']} tabIndex={0} aria-label={t('parts.fault.details')}><UntrustedText text={JSON.stringify(fault.details, null, 2)} maxLength={4000} /></pre>}
        </details>
      )}
      <div className={css['actions']} data-plain={retry === undefined && !locked}>
        {locked ? <OpenSecrets state={fault.details?.['state']} {...(retry === undefined ? {} : { again: retry })} /> : null}
        {retry === undefined ? null : <Button onClick={retry}>{t('parts.fault.retry')}</Button>}
        <CopyButton text={JSON.stringify(fault, null, 2)} name={t('parts.fault.details_name')} words={t('parts.fault.copy')} />
      </div>
    </div>
  );
};
