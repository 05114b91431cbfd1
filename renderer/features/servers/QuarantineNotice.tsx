import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { ServerDetail } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { QuarantineReport } from './QuarantineReport.tsx';
import { reachedPlaces } from './reached-place.ts';
import { latest } from './server-steps.ts';
import classes from './ServerPage.module.css';

const texts = (value: unknown): readonly string[] | null => (Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : null);

/** Since when and why it is in quarantine, the report as the fact kept it, and the way out. */
export function QuarantineNotice({ server }: { readonly server: ServerDetail }) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<Fault | null>(null);
  const data = latest(server.facts, 'quarantine')?.data ?? {};
  const readable = reachedPlaces(data['readable']);
  const reason = typeof data['reason'] === 'string' ? data['reason'] : '';
  const release = async (): Promise<void> => {
    const answer = await bridge.request('servers:release', { serverId: server.id });
    setFailure(answer.ok ? null : answer.error);
  };
  return (
    <section className={`g-panel ${classes['block']} ${classes['loud']}`} aria-label={t('servers.quarantine.notice')}>
      <h2>
        {t('servers.quarantine.notice')} · <TimeText at={server.quarantinedAt ?? server.createdAt} />
      </h2>
      <p className="g-muted">
        {t('servers.quarantine.noticeAbout')}
        {reason !== '' && (
          <>
            <br />
            {t('servers.quarantine.reasonWas')}<UntrustedText text={reason} />
          </>
        )}
      </p>
      {readable && <QuarantineReport report={{ readable, secretsToRotate: texts(data['secretsToRotate']) ?? [], revokedGrants: null }} />}
      {failure && <FaultView fault={failure} compact />}
      <Button onClick={() => void release()}>{t('servers.quarantine.release')}</Button>
    </section>
  );
}
