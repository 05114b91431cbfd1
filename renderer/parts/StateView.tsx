import { Button, Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FaultView } from './FaultView.tsx';
import type { ShownFault } from './FaultView.tsx';
import css from './StateView.module.css';

/** How long something is taking, in the steps that are told; between them nothing is drawn, so that what is waited for has the time. */
const STEPS_MS = [1_000, 10_000];
const useStep = (since: number): number => {
  const [step, setStep] = useState(0);
  useEffect(() => {
    const timers = STEPS_MS.map((at, index) => setTimeout(() => setStep(index + 1), Math.max(0, since + at - Date.now())));
    return () => {
      timers.forEach(clearTimeout);
      setStep(0);
    };
  }, [since]);
  return step;
};

/** A skeleton at once; after 1 s what is going on; after 10 s what can be done about it. */
const LoadingView = ({ since, what, rows = 4, onStop }: { readonly since: number; readonly what: string; readonly rows?: number; readonly onStop?: (() => void) | undefined }): ReactElement => {
  const { t } = useTranslation();
  const step = useStep(since);
  return (
    <div className={css['loading']} aria-busy="true">
      <div aria-hidden="true">
        {Array.from({ length: rows }, (_, i) => <Skeleton key={i} height={14} mt={i === 0 ? 0 : 14} width={`${[92, 78, 85, 60][i % 4]}%`} />)}
      </div>
      <p role="status" className={css['status']}>
        {step > 0 ? what : ''}
        {step > 1 ? ` ${t('parts.state.slow')}` : ''}
      </p>
      {step > 1 && onStop !== undefined ? <Button onClick={onStop}>{t('parts.state.again')}</Button> : null}
    </div>
  );
};

/** Nothing here yet: what would be here, and the step that brings it. */
const EmptyView = ({ title, body, action, page = false }: { readonly title: string; readonly body?: ReactNode; readonly action?: ReactNode; readonly page?: boolean | undefined }): ReactElement => (
  <div className={css['empty']}>
    {page ? <h1 className={css['title']}>{title}</h1> : <p className={css['title']}>{title}</p>}
    {body === undefined ? null : <p className={css['text']}>{body}</p>}
    {action === undefined ? null : <div className={css['action']}>{action}</div>}
  </div>
);

export type StateViewProps =
  | { readonly kind: 'loading'; readonly what?: string; readonly since?: number; readonly rows?: number; readonly onStop?: () => void }
  | { readonly kind: 'empty'; readonly title: string; readonly body?: ReactNode; readonly action?: ReactNode; /** it is all there is on its page, and so its heading */ readonly page?: boolean }
  | { readonly kind: 'failed'; readonly fault: ShownFault; readonly retry?: () => void; readonly page?: boolean };

/** The states of a screen that has nothing to show yet, or could not get it. */
export const StateView = (props: StateViewProps): ReactElement => {
  const { t } = useTranslation();
  const [mountedAt] = useState(Date.now);
  if (props.kind === 'failed') return <FaultView fault={props.fault} page={props.page === true} {...(props.retry === undefined ? {} : { retry: props.retry })} />;
  if (props.kind === 'empty') return <EmptyView title={props.title} body={props.body} action={props.action} page={props.page} />;
  return <LoadingView since={props.since ?? mountedAt} what={props.what ?? t('parts.state.loading')} onStop={props.onStop} {...(props.rows === undefined ? {} : { rows: props.rows })} />;
};
