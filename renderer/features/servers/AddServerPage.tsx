import { useTranslation } from 'react-i18next';
import type { MarketEntry } from '../../../shared/market.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { useRequest } from '../../stores/use-request.ts';
import { AddServer } from './AddServer.tsx';
import { draftOfEntry, emptyDraft } from './draft.ts';

interface AddServerPageProps {
  readonly from: 'npm' | 'command' | 'http' | 'market';
  readonly entryId: string | null;
}

/** Adds a server: configuration, then consent to exactly what will run, then the installation. */
export function AddServerPage({ from, entryId }: AddServerPageProps) {
  if (from === 'market') return <AddFromMarket entryId={entryId ?? ''} />;
  return <AddServer first={emptyDraft(from)} inputs={[]} from={from} entry={null} />;
}

function AddFromMarket({ entryId }: { readonly entryId: string }) {
  const { t } = useTranslation();
  const { state, reload } = useRequest('market:get', { entryId });
  return (
    <LoadedView of={state} what={t('servers.add.loadingEntry')} retry={reload}>
      {({ entry }: { readonly entry: MarketEntry }) => <AddServer first={draftOfEntry(entry)} inputs={entry.inputs} from="market" entry={entry} />}
    </LoadedView>
  );
}
