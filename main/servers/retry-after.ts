/** The longest pause that an endpoint is given, whatever it asks for (F29). */
export const LONGEST_PAUSE_MS = 5 * 60_000;
const SHORTEST_PAUSE_MS = 1000;

/** `Retry-After` in ms from `now` (ms since epoch): seconds or an HTTP date (RFC 9110, 10.2.3). Null when it is absent or neither. */
export const retryAfterMs = (header: string | null, now: number): number | null => {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Z][a-z]{2,8}, ?\d/.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
};

export const clampPause = (askedMs: number): number => Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, askedMs));

/** What a fault says that its endpoint asked for, in ms; null when it asked for nothing. */
export const askedPauseOf = (why: { readonly details?: Readonly<Record<string, unknown>> | undefined }): number | null => {
  const asked = why.details?.['retryAfterMs'];
  return typeof asked === 'number' ? asked : null;
};

export const namesPause = (status: number): boolean => status === 429 || status === 503;

/** The pause that an answer with this status named; a transport that speaks HTTP knows it. */
export const askedPauseWith = (status: number, transport: object | null): number | null =>
  namesPause(status) && transport !== null && 'askedPauseMs' in transport && typeof transport.askedPauseMs === 'number' ? transport.askedPauseMs : null;

/** The same as words and details of a fault; nothing where nothing was asked. */
export const pauseAbout = (askedMs: number | null): { readonly words: string; readonly details: Readonly<Record<string, number>> } => {
  if (askedMs === null) return { words: '', details: {} };
  const pauseMs = clampPause(askedMs);
  const words = ` It asks for a pause of ${Math.ceil(askedMs / 1000)} s${pauseMs < askedMs ? `; Gantry waits ${pauseMs / 1000} s at most` : ''}.`;
  return { words, details: { retryAfterMs: askedMs, pauseMs } };
};
