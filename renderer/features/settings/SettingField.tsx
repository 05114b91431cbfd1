import type { ReactElement, ReactNode } from 'react';
import css from './Settings.module.css';

/** One setting: its name, what it means, its control. */
export const SettingField = ({ name, hint, children }: { readonly name: string; readonly hint?: ReactNode; readonly children: ReactNode }): ReactElement => (
  <div className={css['field']}>
    <div><p className={css['fieldName']}>{name}</p>{hint === undefined ? null : <p className={css['hint']}>{hint}</p>}</div>
    <div className={css['control']}>{children}</div>
  </div>
);
