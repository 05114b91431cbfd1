import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SchemaDefect as Code } from '../../shared/capability.ts';
import { UntrustedText } from './UntrustedText.tsx';

/** Why a schema or a part of it cannot be judged: our words, and the host's particulars as small print. */
export const SchemaDefect = ({ code, reason }: { readonly code?: Code | undefined; readonly reason: string }): ReactElement => {
  const { t } = useTranslation();
  return <>{code === undefined ? null : t(`parts.schema_defect.${code}`)} <span className="g-fine" lang="en"><UntrustedText text={reason} maxLength={300} /></span></>;
};
