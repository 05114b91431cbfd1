import { Button, PasswordInput, Radio, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { ImportAsk, ImportServer } from '../../../shared/import.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import classes from './Import.module.css';
import { asksOf, openOf, valuesOf, type AskDraft, type Drafts } from './import-draft.ts';
import { usePlaceWords } from './place-words.ts';

interface DecideStepProps {
  readonly servers: readonly ImportServer[];
  readonly drafts: Drafts;
  readonly fault: Fault | null;
  readonly onChange: (drafts: Drafts) => void;
  readonly onBack: () => void;
  readonly onBring: () => void;
}

/** Each variable by its name, each value that is asked for, each server that is here already. Then what happens is said once more. */
export function DecideStep({ servers, drafts, fault, onChange, onBack, onBring }: DecideStepProps) {
  const { t } = useTranslation();
  const open = servers.reduce((sum, server) => sum + openOf(server, drafts[server.key]!).length, 0);
  const anything = servers.some((server) => server.existing.length > 0 || asksOf(server, drafts[server.key]!).length > 0);
  const sealed = servers.reduce((sum, server) => sum + valuesOf(server, drafts[server.key]!).filter((value) => drafts[server.key]!.secret[value.place] ?? value.secret).length, 0);
  return (
    <>
      <p className={classes['lead']}>{t(anything ? 'import.decide.about' : 'import.decide.aboutNothing')}</p>
      <ul className={classes['list']}>
        {servers.map((server) => {
          const draft = drafts[server.key]!;
          const set = (change: Partial<typeof draft>): void => onChange({ ...drafts, [server.key]: { ...draft, ...change } });
          const asks = asksOf(server, draft);
          return (
            <li key={server.key} className="g-panel">
              <h2 className={classes['title']}><UntrustedText text={server.name} maxLength={80} /></h2>
              {asks.length === 0 && server.existing.length === 0 && <p className="g-muted">{t('import.decide.nothing')}</p>}
              {server.existing.length > 0 && (
                <fieldset className={classes['ask']}>
                  <legend>{t('import.decide.existing')} <UntrustedText text={server.existing[0]!.name} maxLength={80} /></legend>
                  <Radio.Group value={draft.onConflict} onChange={(value) => set({ onConflict: value as 'keep_both' | 'replace' })} aria-label={t('import.decide.existing')}>
                    <div className={classes['choices']}>
                      <Radio value="keep_both" label={t('import.decide.keepBoth')} />
                      <Radio value="replace" label={t('import.decide.replace')} />
                    </div>
                  </Radio.Group>
                </fieldset>
              )}
              {asks.map((ask) => (
                <Ask key={ask.name} ask={ask} draft={draft.answers[ask.name] ?? { use: null, value: '' }} onChange={(answer) => set({ answers: { ...draft.answers, [ask.name]: answer } })} />
              ))}
            </li>
          );
        })}
      </ul>
      <p>{t('import.decide.summary', { count: servers.length })} {sealed > 0 && t('import.decide.sealed', { count: sealed })}</p>
      {open > 0 && <p role="status" className="g-awaits">{t('import.decide.open', { count: open })}</p>}
      {fault && <FaultView fault={fault} />}
      <div className={classes['foot']}>
        <Button variant="filled" disabled={open > 0 || servers.length === 0} onClick={onBring}>
          {t('import.decide.bring', { count: servers.length })}
        </Button>
        <Button onClick={onBack}>{t('import.back')}</Button>
      </div>
    </>
  );
}

function Ask({ ask, draft, onChange }: { readonly ask: ImportAsk; readonly draft: AskDraft; readonly onChange: (draft: AskDraft) => void }) {
  const { t } = useTranslation();
  const placeWords = usePlaceWords();
  const name = ask.variable ?? ask.name.replace(/^(input|blank):/, '');
  const uses = [...(ask.kind === 'variable' ? ['host' as const] : []), 'value' as const, ...(ask.default === null ? [] : ['default' as const]), ...(ask.kind === 'input' ? [] : ['literal' as const])];
  const label = t('import.decide.valueOf', { name });
  const type = (value: string): void => onChange({ use: 'value', value });
  return (
    <fieldset className={classes['ask']}>
      <legend>{t(`import.decide.${ask.kind}`)} <code><UntrustedText text={name} maxLength={200} /></code></legend>
      <p className="g-small g-muted">
        {ask.kind === 'variable' && t(ask.present ? 'import.decide.present' : 'import.decide.absent')} {t('import.decide.usedIn', { places: ask.places.map(placeWords).join(', ') })} {ask.fixed && t('import.decide.fixed')}
      </p>
      {ask.description !== '' && ask.kind === 'input' && <p className="g-small"><UntrustedText text={ask.description} maxLength={400} /></p>}
      {uses.length > 1 && (
        <Radio.Group value={draft.use} onChange={(use) => onChange({ ...draft, use: use as AskDraft['use'] })} aria-label={`${t(`import.decide.${ask.kind}`)} ${name}`}>
          <div className={classes['choices']}>
            {uses.map((use) => (
              <Radio key={use} value={use} label={use === 'default' ? t('import.decide.use.default', { value: ask.default }) : t(`import.decide.use.${use}`)} />
            ))}
          </div>
        </Radio.Group>
      )}
      {draft.use === 'value' &&
        (ask.choices.length > 0 ? (
          <Select aria-label={label} data={[...new Set(ask.choices)]} value={draft.value === '' ? null : draft.value} onChange={(value) => type(value ?? '')} />
        ) : ask.secret ? (
          <PasswordInput aria-label={label} value={draft.value} onChange={(event) => type(event.currentTarget.value)} autoComplete="off" spellCheck={false} />
        ) : (
          <TextInput aria-label={label} value={draft.value} onChange={(event) => type(event.currentTarget.value)} autoComplete="off" spellCheck={false} />
        ))}
    </fieldset>
  );
}
