import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Run } from '../../shared/run.ts';
import { runTitle } from './run-title.ts';
import { UntrustedText } from './UntrustedText.tsx';

/** What a run was called; one of the host itself in the window's language. */
export const RunTitle = ({ run, maxLength }: { readonly run: Pick<Run, 'kind' | 'title'>; readonly maxLength: number }): ReactElement => {
  const { i18n } = useTranslation();
  return <UntrustedText text={runTitle(run, i18n)} maxLength={maxLength} />;
};
