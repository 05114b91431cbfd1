import { create } from 'zustand';
import { bridge } from '../bridge/bridge.ts';
import { withDelta, type Streamed } from './streamed.ts';

/** What models are saying right now, by run: only what this window has heard; the whole text comes with the evidence. */
export const useStreams = create<{ readonly streams: ReadonlyMap<string, Streamed> }>(() => ({ streams: new Map() }));

/** Words come in small pieces: they are drawn together. */
const GATHER_MS = 60;

/** Listens until it is ended. */
export const followStreams = (): (() => void) => {
  let heard = new Map<string, Streamed>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = (): void => {
    timer = null;
    const told = heard;
    heard = new Map();
    useStreams.setState(({ streams }) => ({ streams: new Map([...streams, ...told]) }));
  };
  const end = bridge.on('agent:delta', ({ runId, ...delta }) => {
    heard.set(runId, withDelta(heard.get(runId) ?? useStreams.getState().streams.get(runId), delta));
    timer ??= setTimeout(flush, GATHER_MS);
  });
  return () => {
    end();
    if (timer !== null) clearTimeout(timer);
  };
};
