import { Checkbox, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MarketInput } from '../../../shared/market.ts';
import type { Draft } from './draft.ts';

interface MarketInputsProps {
  readonly inputs: readonly MarketInput[];
  readonly answers: Draft['answers'];
  readonly wrong: readonly string[];
  readonly onChange: (answers: Draft['answers']) => void;
}

/** What the app asks for, in the catalog's words; each field says where its value goes. */
export function MarketInputs({ inputs, answers, wrong, onChange }: MarketInputsProps) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {inputs.map((input) => {
        const label = i18n.language === 'zh' ? input.label.zh : input.label.en;
        const value = answers[input.name] ?? '';
        const goes = t(`servers.form.goes.${input.target}`, { name: input.name });
        const also = input.secret ? t(input.target === 'arg' ? 'servers.form.secretInArguments' : 'servers.form.sealed') : input.repeated ? t('servers.form.oneALine') : null;
        const common = {
          label,
          required: input.required,
          withAsterisk: input.required,
          description: also === null ? goes : t('servers.sentences', { first: goes, second: also }),
          placeholder: input.placeholder ?? '',
          error: wrong.includes(input.name) ? t(input.format === 'directory' && value.trim() !== '' ? 'servers.form.wholePath' : 'servers.form.needed') : null,
          spellCheck: false,
        };
        const set = (text: string): void => onChange({ ...answers, [input.name]: text });
        if (input.format === 'boolean') return <Checkbox key={input.name} label={label} description={goes} checked={value === 'true'} onChange={(event) => set(String(event.currentTarget.checked))} />;
        if (input.choices) return <Select key={input.name} {...common} data={input.choices} value={value === '' ? null : value} onChange={(choice) => set(choice ?? '')} allowDeselect={!input.required} />;
        if (input.secret) return <PasswordInput key={input.name} {...common} aria-invalid={common.error !== null} value={value} onChange={(event) => set(event.currentTarget.value)} autoComplete="off" />;
        if (input.repeated) return <Textarea key={input.name} {...common} autosize minRows={2} maxRows={8} value={value} onChange={(event) => set(event.currentTarget.value)} />;
        return <TextInput key={input.name} {...common} value={value} inputMode={input.format === 'number' ? 'decimal' : input.format === 'url' ? 'url' : 'text'} onChange={(event) => set(event.currentTarget.value)} />;
      })}
    </>
  );
}
