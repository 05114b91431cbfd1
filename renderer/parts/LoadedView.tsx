import { Button } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import type { Fault } from '../../shared/fault.ts';
import { StateView } from './StateView.tsx';

/** What a window knows of a value: reading it, could not read it, has it. */
export type Loadable<T> =
  | { readonly phase: 'loading'; readonly since: number }
  | { readonly phase: 'failed'; readonly fault: Fault }
  | { readonly phase: 'ready'; readonly value: T };

export interface LoadedViewProps<T> {
  readonly of: Loadable<T>;
  /** what is being read, a sentence */
  readonly what: string;
  readonly rows?: number;
  readonly retry?: () => void;
  /** of one thing among others: the list it was in, for when it is gone */
  readonly list?: { readonly to: string; readonly words: string };
  readonly children: (value: T) => ReactNode;
}

/** One of: loading, failed, or the value. A failed reading is never shown as empty. */
export const LoadedView = <T,>({ of, what, rows, retry, list, children }: LoadedViewProps<T>): ReactElement => {
  if (of.phase === 'loading') return <StateView kind="loading" since={of.since} what={what} {...(rows === undefined ? {} : { rows })} {...(retry === undefined ? {} : { onStop: retry })} />;
  if (of.phase === 'failed') {
    return (
      <>
        <StateView kind="failed" fault={of.fault} page={list !== undefined} {...(retry === undefined ? {} : { retry })} />
        {of.fault.code === 'not_found' && list !== undefined && <Button component="a" href={list.to} mt={12}>{list.words}</Button>}
      </>
    );
  }
  return <>{children(of.value)}</>;
};
