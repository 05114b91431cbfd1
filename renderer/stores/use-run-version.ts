import { useEffect, useState } from 'react';
import { bridge } from '../bridge/bridge.ts';

/** A run writes several events a step: they are asked for together. */
const GATHER_MS = 200;

/** Grows whenever the host has told of this run; what is in sight is then asked for again, and nothing else. */
export const useRunVersion = (runId: string): number => {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const later = (ofRun: string): void => {
      if (ofRun !== runId) return;
      timer ??= setTimeout(() => {
        timer = null;
        setVersion((before) => before + 1);
      }, GATHER_MS);
    };
    const ends = [bridge.on('run:changed', ({ run }) => later(run.id)), bridge.on('run:event', ({ event }) => later(event.runId)), bridge.on('invocation:changed', ({ invocation }) => later(invocation.runId))];
    return () => {
      ends.forEach((end) => end());
      if (timer !== null) clearTimeout(timer);
    };
  }, [runId]);
  return version;
};
