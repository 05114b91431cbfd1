import { useState } from 'react';
import type { Fault } from '../../../../shared/fault.ts';
import type { NetworkStatus } from '../../../../shared/network.ts';
import type { Result } from '../../../../shared/result.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { useSettings } from '../../../stores/settings.ts';

export interface NetworkActs {
  readonly fault: Fault | null;
  /** something was saved, and nothing failed since */
  readonly saved: boolean;
  readonly save: (change: Partial<Settings>) => Promise<boolean>;
  /** an act of `network:` that answers with the new status */
  readonly act: (asked: Promise<Result<{ network: NetworkStatus }, Fault>>) => Promise<boolean>;
}

/** Saving of one panel, with its own fault: what failed stands where it was typed. */
export const useNetworkActs = (onChanged: () => void): NetworkActs => {
  const [fault, setFault] = useState<Fault | null>(null);
  const [saved, setSaved] = useState(false);
  const done = (answer: Result<unknown, Fault>): boolean => {
    setFault(answer.ok ? null : answer.error);
    setSaved(answer.ok);
    if (answer.ok) onChanged();
    return answer.ok;
  };
  return {
    fault,
    saved,
    save: async (change) => {
      const answer = await bridge.request('settings:set', change);
      if (answer.ok) useSettings.setState({ settings: { phase: 'ready', value: answer.value.settings } });
      return done(answer);
    },
    act: async (asked) => done(await asked),
  };
};
