import { useEffect, useState } from 'react';
import type { LogLine } from '../../shared/server.ts';
import { bridge } from '../bridge/bridge.ts';

const SHOWN = 3;
const NONE: readonly LogLine[] = [];

/** The last messages that a server logged over the protocol since this began to listen. They are the server's, of whatever it does; null: listen to nothing. */
export const useLogTail = (serverId: string | null): readonly LogLine[] => {
  const [heard, setHeard] = useState<{ readonly of: string | null; readonly lines: readonly LogLine[] }>({ of: null, lines: NONE });
  useEffect(() => {
    if (serverId === null) return undefined;
    setHeard({ of: serverId, lines: NONE });
    return bridge.on('server:log', (event) => {
      const fresh = event.serverId === serverId ? event.lines.filter((line) => line.source === 'log') : NONE;
      if (fresh.length > 0) setHeard((before) => ({ of: serverId, lines: [...before.lines.filter((line) => !fresh.some((one) => one.seq === line.seq)), ...fresh].slice(-SHOWN) }));
    });
  }, [serverId]);
  return heard.of === serverId ? heard.lines : NONE;
};
