import { notifications, Notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FaultView } from '../parts/FaultView.tsx';
import { useFailedActs } from '../stores/act.ts';

/** Short messages of what was just done or failed, with the way back where there is one; a landmark of their own. */
export function Messages() {
  const { t } = useTranslation();
  const failed = useFailedActs((state) => state.failed);
  const shown = useRef(0);
  useEffect(() => {
    for (const one of failed.filter(({ id }) => id > shown.current)) {
      shown.current = one.id;
      notifications.show({ message: <FaultView fault={one.fault} compact />, autoClose: false, withBorder: true, color: 'danger', closeButtonProps: { 'aria-label': t('app.closeMessage') } });
    }
  }, [failed, t]);
  return (
    <aside aria-label={t('app.messages')}>
      <Notifications withinPortal={false} position="bottom-right" limit={3} autoClose={6000} transitionDuration={120} />
    </aside>
  );
}
