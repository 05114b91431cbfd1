import { Select } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityDetail } from '../../../shared/capability.ts';
import { ROUTE_IDS, type RouteId } from '../../../shared/route-ids.ts';
import { bridge } from '../../bridge/bridge.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { RenderingView } from '../../parts/RenderingView.tsx';
import { href } from '../../routes.ts';
import { useRequest } from '../../stores/use-request.ts';
import css from './Capabilities.module.css';

/** What a model is shown of this tool, for each kind of provider; first that of the model in use. */
export const ModelView = ({ capability }: { readonly capability: CapabilityDetail }): ReactElement => {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<RouteId | null>(null);
  const { state: inUse } = useRequest('models:get', {});
  const used = inUse.phase === 'ready' ? (inUse.value.model?.routeId ?? null) : null;
  const { state, reload } = useRequest('renderings:get', { capabilityId: capability.id, ...(chosen === null ? {} : { routeId: chosen }) }, capability.definitionFingerprint);
  const shown = state.phase === 'ready' ? state.value.rendering.routeId : chosen;
  const name = (id: RouteId): string => (id === used ? t('capabilities.model_in_use', { route: t(`parts.rendering.route.${id}`) }) : t(`parts.rendering.route.${id}`));
  const tryAgain = async (routeId: RouteId): Promise<void> => {
    await bridge.request('renderings:tryAgain', { capabilityId: capability.id, routeId });
    reload();
  };
  return (
    <section className="g-panel" aria-label={t('capabilities.model_view')}>
      <div className={css['accessHead']}>
        <h2 className="g-heading">{t('capabilities.model_view')}</h2>
        <Select size="xs" aria-label={t('capabilities.model_route')} allowDeselect={false} value={shown} data={ROUTE_IDS.map((id) => ({ value: id, label: name(id) }))} onChange={(value) => setChosen(ROUTE_IDS.find((id) => id === value) ?? chosen)} />
      </div>
      <LoadedView of={state} what={t('capabilities.reading_model_view')} rows={4} retry={reload}>
        {({ original, rendering }) => <RenderingView original={original} rendering={rendering} runHref={href.run} {...(rendering.setAside === null ? {} : { onTryAgain: () => void tryAgain(rendering.routeId) })} />}
      </LoadedView>
    </section>
  );
};
