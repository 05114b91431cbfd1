import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { href } from '../../routes.ts';
import { useServers } from '../../stores/servers.ts';
import { useRequest } from '../../stores/use-request.ts';
import { EntryDetails } from './EntryDetails.tsx';

/** One app of the market, read again when a server comes, changes its version or goes. */
export function EntryPage({ entryId }: { readonly entryId: string }) {
  const { t } = useTranslation();
  const version = useServers(({ servers }) => (servers.phase === 'ready' ? servers.value.map((one) => `${one.id} ${one.state} ${JSON.stringify(one.spec)}`).join() : ''));
  const { state, reload } = useRequest('market:get', { entryId }, version);
  if (state.phase === 'failed' && state.fault.code === 'not_found') {
    return (
      <StateView
        kind="empty"
        page
        title={t('market.gone.title')}
        body={t('market.gone.body', { id: entryId })}
        action={
          <Button component="a" href={href.market()}>
            {t('market.gone.go')}
          </Button>
        }
      />
    );
  }
  return (
    <LoadedView of={state} what={t('market.loadingOne')} rows={8} retry={reload}>
      {(found) => <EntryDetails {...found} reload={reload} />}
    </LoadedView>
  );
}
