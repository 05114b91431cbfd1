import { later } from '../../parts/later.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { MarketListPage } from './MarketListPage.tsx';

const EntryPage = later(() => import('./EntryPage.tsx').then((m) => m.EntryPage), <StateView kind="loading" rows={6} />);

/** Apps that can be added, or one of them. Being listed grants nothing. */
export function MarketPage({ entryId, filters }: { readonly entryId: string | null; readonly filters: string | undefined }) {
  return entryId === null ? <MarketListPage fromAddress={filters} /> : <EntryPage entryId={entryId} />;
}
