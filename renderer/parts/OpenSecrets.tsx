import { Button } from '@mantine/core';
import { useContext, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { AskForSecrets } from './way-out.ts';

/** The way out of a secret store that is not open: the passphrase is asked for where it is missed. `state` is the fault's own. */
export const OpenSecrets = ({ state, again }: { readonly state: unknown; readonly again?: () => void }): ReactElement | null => {
  const { t } = useTranslation();
  const ask = useContext(AskForSecrets);
  const [opened, setOpened] = useState(false);
  if (ask === null) return null;
  const open = async (): Promise<void> => {
    if (!(await ask())) return;
    setOpened(true);
    again?.();
  };
  if (opened) return <p role="status">{t('parts.fault.secrets.opened')}</p>;
  return <Button variant="filled" onClick={() => void open()}>{t(`parts.fault.secrets.${state === 'not_set_up' ? 'set' : state === 'asking' ? 'asking' : 'give'}`)}</Button>;
};
