import { lazy } from 'react';
import { MarketListPage } from './MarketListPage.tsx';

const EntryPage = lazy(() => import('./EntryPage.tsx').then((m) => ({ default: m.EntryPage })));

/** Apps that can be added, or one of them. Being listed grants nothing. */
export function MarketPage({ entryId, filters }: { readonly entryId: string | null; readonly filters: string | undefined }) {
  return entryId === null ? <MarketListPage fromAddress={filters} /> : <EntryPage entryId={entryId} />;
}
