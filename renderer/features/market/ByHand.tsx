import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { href } from '../../routes.ts';

/** The ways in for what no catalog knows. */
export function ByHand() {
  const { t } = useTranslation();
  return (
    <>
      {(['npm', 'command', 'http'] as const).map((from) => (
        <Button key={from} component="a" href={href.add(from)}>
          {t(`market.byHand.${from}`)}
        </Button>
      ))}
      <Button component="a" href={href.import()}>
        {t('market.byHand.import')}
      </Button>
    </>
  );
}
