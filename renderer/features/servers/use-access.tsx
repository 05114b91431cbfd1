import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import { useWords } from '../../i18n/use-words.ts';
import { act } from '../../stores/act.ts';

/** Sets Agent Access of the built-in agent for several capabilities, says what came of it, and offers the way back. */
export const useAccess = (): ((capabilityIds: readonly string[], allowed: boolean) => Promise<boolean>) => {
  const { t } = useWords();
  const set = async (capabilityIds: readonly string[], allowed: boolean, quiet = false): Promise<boolean> => {
    if (capabilityIds.length === 0) return true;
    const answer = await act('access:set', { principal: BUILT_IN_AGENT, capabilityIds: [...capabilityIds], allowed });
    if (answer === null) return false;
    const { changed, skipped } = answer;
    if (quiet || (capabilityIds.length === 1 && skipped.length === 0)) return true;
    const refused = new Set(skipped.map((one) => one.capabilityId));
    const id = notifications.show({
      withBorder: true,
      closeButtonProps: { 'aria-label': t('servers.close') },
      title: t(allowed ? 'servers.access.allowed' : 'servers.access.revoked', { count: changed }),
      message: (
        <>
          {skipped.length > 0 && <p style={{ margin: '0 0 8px' }}>{t('servers.access.skipped', { count: skipped.length })}</p>}
          {changed > 0 && (
            <Button
              onClick={() => {
                notifications.hide(id);
                void set(capabilityIds.filter((one) => !refused.has(one)), !allowed, true);
              }}
            >
              {t('servers.access.undo')}
            </Button>
          )}
        </>
      ),
    });
    return changed > 0;
  };
  return set;
};
