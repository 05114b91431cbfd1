import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { useWords } from '../i18n/use-words.ts';
import css from './AnswerText.module.css';
import { CopyButton } from './CopyButton.tsx';
import { isKey, KEYS } from './keys.ts';
import { hostOf } from './link-host.ts';
import { UntrustedText } from './UntrustedText.tsx';

/** What the shells let leave for the browser: https without a name and password (N02, M09). */
const opens = (address: string): boolean => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
};
/** Characters that the address gives to its site beyond the page it names: words of a conversation could stand there. */
const carried = (address: string): number => Math.max(0, (URL.parse(address)?.search.length ?? 0) - 1);

/**
 * A link that a model wrote: text with its host, which opens nothing. A press shows the whole address and what it carries, and only there it can be opened or copied.
 * An address of no host is text alone.
 */
export const AnswerLink = ({ address, children }: { readonly address: string; readonly children?: ReactNode }): ReactElement => {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const host = hostOf(address);
  if (host === null || !/^https?:/i.test(address)) return <span className={css['link']}>{children}{host === null ? null : <> <span className={css['host']}>({host})</span></>}</span>;
  const leave = (event: KeyboardEvent): void => {
    if (!open || !isKey(event, KEYS.leave.close)) return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(false);
    button.current?.focus();
  };
  const more = carried(address);
  return (
    <span>
      <button ref={button} type="button" className={css['linkButton']} aria-expanded={open} aria-controls={open ? id : undefined} onClick={() => setOpen(!open)} onKeyDown={leave}>
        <span className={css['link']}>{children}</span> <span className={css['host']}>({host})</span>
      </button>
      {open ? (
        // keys of the buttons inside it
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
        <span id={id} className={css['leads']} onKeyDown={leave}>
          <span>{t('parts.answer.link.leads')} <bdi dir="ltr" className={css['address']}><UntrustedText text={address} maxLength={600} /></bdi></span>
          {more === 0 ? null : <span className={css['carries']}>{t('parts.answer.link.carries', { count: more, host })}</span>}
          <span className={css['linkActs']}>
            {opens(address) ? <a href={URL.parse(address)?.href} target="_blank" rel="noreferrer noopener">{t('parts.answer.link.open')}</a> : <span className={css['host']}>{t('parts.answer.link.not_opened')}</span>}
            <CopyButton text={address} name={t('parts.answer.link.address')} words={t('parts.answer.link.copy')} />
          </span>
        </span>
      ) : null}
    </span>
  );
};
