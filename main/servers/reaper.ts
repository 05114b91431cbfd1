import type { ProcessRow } from '../store/processes.ts';
import { endGroup, groupEnds, groupMembers, isGroupAlive } from './process-group.ts';
import { carriesToken, startTimeOf } from './process-identity.ts';
import { signalEach, strayHolders } from './token-holders.ts';

/** What was found of a recorded process. `stranger`: the pid belongs to somebody else now and is left alone (P07). */
export type Reaped = 'gone' | 'stranger' | 'ended' | 'survived';

/**
 * Members of the recorded group that are proved ours: the leader by its start time and, where the system lets it be read, the token in its environment;
 * where the leader is gone, those of its group that carry the token. A pid alone proves nothing.
 */
const provedMembers = (row: ProcessRow): number[] => {
  const leaderStart = startTimeOf(row.pid);
  if (leaderStart !== null && row.startTime !== '' && leaderStart === row.startTime && carriesToken(row.pid, row.token) !== false) return [row.pid, ...groupMembers(row.pid).filter((pid) => pid !== row.pid)];
  return groupMembers(row.pid).filter((pid) => carriesToken(pid, row.token) === true);
};

/** Ends what a crash of the host left behind: the group, and what left it and carries the token. */
export const reapProcess = async (row: ProcessRow): Promise<Reaped> => {
  const reaped = await reapGroup(row);
  const strays = strayHolders(row.token, row.pid);
  signalEach(strays, 'SIGKILL');
  return strays.length > 0 && (reaped === 'gone' || reaped === 'stranger') ? 'ended' : reaped;
};

const reapGroup = async (row: ProcessRow): Promise<Reaped> => {
  const members = provedMembers(row);
  if (members.length === 0) return isGroupAlive(row.pid) || startTimeOf(row.pid) !== null ? 'stranger' : 'gone';
  if (members.includes(row.pid)) {
    endGroup(row.pid, false);
    if (await groupEnds(row.pid, 1500)) return 'ended';
    endGroup(row.pid, true);
    return (await groupEnds(row.pid, 1000)) ? 'ended' : 'survived';
  }
  // leaderless group: each proved member by itself
  signalEach(members, 'SIGKILL');
  return 'ended';
};
