import type { EventEmitter } from 'node:events';

const LOOK_AGAIN_MS = 5;

/** undici keeps the parser of a connection at its socket. */
const parserOf = (socket: object): { readonly paused?: unknown } | null => {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  return key === undefined ? null : ((socket as Record<symbol, { paused?: unknown } | null>)[key] ?? null);
};

/**
 * The end of a connection is told to undici only when its parser reads again. Of a connection that ends while an answer without a length is read more slowly than it comes,
 * undici (7.30) asserts that its parser is not paused, from inside an event: nobody could catch that, and any endpoint could end the host so. What fails is told at once.
 */
export const holdEnd = <S extends EventEmitter>(socket: S): S => {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean;
  let held: [event: string | symbol, ...args: unknown[]][] = [];
  const release = (): void => {
    const [...events] = held;
    held = [];
    for (const event of events) emit(...event);
  };
  const look = (): void => {
    if (held.length === 0) return;
    if (parserOf(socket)?.paused === true) setTimeout(look, LOOK_AGAIN_MS);
    else release();
  };
  const guarded = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event === 'error') held = [];
    const waits = (event === 'end' && parserOf(socket)?.paused === true) || (event === 'close' && held.length > 0);
    if (!waits) return emit(event, ...args);
    held.push([event, ...args]);
    if (held.length === 1) setTimeout(look, LOOK_AGAIN_MS);
    return true;
  };
  return Object.assign(socket, { emit: guarded });
};
