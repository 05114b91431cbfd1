import { Button, FileButton, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import classes from './Import.module.css';

export type Source = 'scan' | 'text' | 'file';

interface SourceStepProps {
  readonly typed: string;
  readonly busy: Source | null;
  readonly fault: Fault | null;
  readonly onType: (text: string) => void;
  readonly onRead: (source: Source, what: { readonly text: string; readonly name?: string } | null) => void;
}

/** From other programs on this computer, from a text, from a file. What was typed stays when it cannot be read. */
export function SourceStep({ typed, busy, fault, onType, onRead }: SourceStepProps) {
  const { t } = useTranslation();
  return (
    <>
      <p className={classes['lead']}>{t('import.source.about')}</p>
      <div className={classes['columns']}>
        <section className={`g-panel ${classes['stack']}`} aria-label={t('import.source.scanTitle')}>
          <h2 className="g-heading">{t('import.source.scanTitle')}</h2>
          <p>{t('import.source.scanBody')}</p>
          <div className={classes['foot']}>
            <Button variant="filled" loading={busy === 'scan'} onClick={() => onRead('scan', null)}>
              {t('import.source.scan')}
            </Button>
          </div>
        </section>
        <section className={`g-panel ${classes['stack']}`} aria-label={t('import.source.textTitle')}>
          <h2 className="g-heading">{t('import.source.textTitle')}</h2>
          <Textarea label={t('import.source.text')} description={t('import.source.textAbout')} autosize minRows={6} maxRows={16} value={typed} onChange={(event) => onType(event.currentTarget.value)} spellCheck={false} autoComplete="off" styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }} />
          <div className={classes['foot']}>
            <Button loading={busy === 'text'} disabled={typed.trim() === ''} onClick={() => onRead('text', { text: typed })}>
              {t('import.source.read')}
            </Button>
            <FileButton accept=".json,.jsonc,.toml,.txt,application/json" onChange={(file) => { if (file) void file.text().then((text) => onRead('file', { text, name: file.name })); }} inputProps={{ 'aria-label': t('import.source.file') }}>
              {(props) => (
                <Button {...props} variant="subtle" loading={busy === 'file'}>
                  {t('import.source.file')}
                </Button>
              )}
            </FileButton>
          </div>
        </section>
      </div>
      {fault && typeof fault.details?.['line'] === 'number' && (
        <p className="g-awaits">{t('import.source.at', { line: fault.details['line'], column: fault.details['column'] })}</p>
      )}
      {fault && <FaultView fault={fault} />}
    </>
  );
}
