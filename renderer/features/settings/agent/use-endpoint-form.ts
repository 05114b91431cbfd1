import { useState } from 'react';
import type { Fault } from '../../../../shared/fault.ts';
import type { Result } from '../../../../shared/result.ts';
import { missingIn } from './model-draft.ts';

interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
}

/** What a form of an endpoint does: its draft, what is missing in it, its trial, its saving. One at a time; a whole draft only. */
export interface EndpointForm<D, T> {
  readonly draft: D;
  readonly setDraft: (draft: D) => void;
  readonly change: (part: Partial<D>) => void;
  /** the first field that has to be filled; it got the focus */
  readonly missing: 'baseUrl' | 'model' | null;
  readonly busy: 'no' | 'test' | 'save';
  readonly fault: Fault | null;
  readonly tested: T | null;
  /** of the form that the fields stand in */
  readonly test: (form: HTMLFormElement | null) => Promise<void>;
  readonly save: (form: HTMLFormElement) => Promise<void>;
}

export const useEndpointForm = <D extends Endpoint, T>(begin: () => D, act: { readonly test: (draft: D) => Promise<Result<T>>; readonly save: (draft: D) => Promise<Result<unknown>>; readonly onDone: () => void }): EndpointForm<D, T> => {
  const [draft, setDraft] = useState(begin);
  const [tested, setTested] = useState<T | null>(null);
  const [busy, setBusy] = useState<'no' | 'test' | 'save'>('no');
  const [fault, setFault] = useState<Fault | null>(null);
  const [missing, setMissing] = useState<'baseUrl' | 'model' | null>(null);
  const doing = async <V>(form: HTMLFormElement | null, what: 'test' | 'save', ask: (draft: D) => Promise<Result<V>>, then: (value: V) => void): Promise<void> => {
    const first = missingIn(draft);
    setMissing(first);
    if (first !== null) {
      form?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return;
    }
    setBusy(what);
    setFault(null);
    const answer = await ask(draft);
    setBusy('no');
    if (answer.ok) then(answer.value);
    else setFault(answer.error);
  };
  return {
    draft, setDraft, missing, busy, fault, tested,
    change: (part) => setDraft({ ...draft, ...part }),
    test: (form) => doing(form, 'test', act.test, setTested),
    save: (form) => doing(form, 'save', act.save, act.onDone),
  };
};
