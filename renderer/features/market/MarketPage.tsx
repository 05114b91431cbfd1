import { useTranslation } from 'react-i18next';
import { StateView } from '../../parts/StateView.tsx';
import { useSettings } from '../../stores/settings.ts';
import { EntryPage } from './EntryPage.tsx';
import { MarketListPage } from './MarketListPage.tsx';

/** Apps that can be added, or one of them. Being listed grants nothing. */
export function MarketPage({ entryId, filters }: { readonly entryId: string | null; readonly filters: string | undefined }) {
  const { t } = useTranslation();
  const settings = useSettings((state) => state.settings);
  if (entryId !== null) return <EntryPage entryId={entryId} />;
  // what the list was narrowed by last time is a setting
  if (filters === undefined && settings.phase === 'loading') return <StateView kind="loading" since={settings.since} what={t('market.loading')} rows={8} />;
  return <MarketListPage fromAddress={filters} remembered={settings.phase === 'ready' ? settings.value.marketFilters : ''} />;
}
