import type { IncomingMessage } from 'node:http';

/** The only names under which this shell answers; anything else is a rebound name or another page (N07). */
export const localAuthorities = (port: number): readonly string[] => [`127.0.0.1:${port}`, `localhost:${port}`];

/** The Host header names this listener itself. */
export const isLocalHost = (request: IncomingMessage, port: number): boolean => {
  const host = request.headers.host;
  return host !== undefined && localAuthorities(port).includes(host.toLowerCase());
};

/**
 * The Origin, where one is sent, is a page of this listener. `null` (sandboxed frames, files) and absence are refused where `required`:
 * only the browser's own WebSocket may connect, and it always sends one.
 */
export const isLocalOrigin = (request: IncomingMessage, port: number, required: boolean): boolean => {
  const origin = request.headers.origin;
  if (origin === undefined) return !required;
  return localAuthorities(port).some((authority) => origin === `http://${authority}`);
};
