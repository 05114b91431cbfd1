import { act } from './act.ts';
import { useSettings } from './settings.ts';

const NONE: readonly string[] = [];

/** Whether a tool is marked to be always shown to the agent, and the way to mark it. */
export const usePinned = (capabilityId: string): readonly [boolean, (pinned: boolean) => void] => {
  const pins = useSettings((s) => (s.settings.phase === 'ready' ? s.settings.value.pinnedTools : NONE));
  const set = (pinned: boolean): void => void act('settings:set', { pinnedTools: [...pins.filter((id) => id !== capabilityId), ...(pinned ? [capabilityId] : [])] });
  return [pins.includes(capabilityId), set];
};
