import { TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { dayOf } from '../../parts/times.ts';
import { useLanguage } from '../../parts/use-language.ts';
import { startOfDay } from './run-filter.ts';
import css from './RunsPage.module.css';

interface DayFieldProps {
  readonly label: string;
  /** stands in it while it is empty */
  readonly short: string;
  /** local, as `2026-11-30` */
  readonly value: string | null;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChange: (day: string | null) => void;
}

/** A day in the window's language: the browser's own field writes it in the browser's, and is seen while it is written in. */
export const DayField = ({ label, short, value, min, max, onChange }: DayFieldProps): ReactElement => {
  const language = useLanguage();
  const at = value === null ? null : startOfDay(value, 0);
  return (
    <span className={css['day']}>
      <TextInput size="xs" type="date" aria-label={label} title={label} min={min} max={max} value={value ?? ''} onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)} />
      <span className={css['dayShown']} data-empty={at === null} aria-hidden="true">{at === null ? short : dayOf(at, language)}</span>
    </span>
  );
};
