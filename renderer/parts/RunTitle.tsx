import i18next from 'i18next';
import type { ReactElement } from 'react';
import type { Run } from '../../shared/run.ts';
import { useWords } from '../i18n/use-words.ts';
import { runTitle } from './run-title.ts';
import { UntrustedText } from './UntrustedText.tsx';

/** What a run was called; one of the host itself in the window's language. */
export const RunTitle = ({ run, maxLength }: { readonly run: Pick<Run, 'kind' | 'title'>; readonly maxLength: number }): ReactElement => {
  // drawn again with the language, by the words it hangs on
  const { t } = useWords();
  return <UntrustedText text={runTitle(run, { t, exists: i18next.exists })} maxLength={maxLength} />;
};
