import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { fault, type Fault } from '../../shared/fault.ts';
import { networkFault } from '../network/network-fault.ts';
import { isTooLarge } from '../network/answer-too-large.ts';
import { saidBy } from './answer-words.ts';
import { versionsNamedBy } from './other-version.ts';
import { pauseAbout } from './retry-after.ts';
import { plainWords, spokenError } from './spoken-error.ts';

const chain = function* (error: unknown): Generator<Error & { code?: unknown; data?: { status?: unknown; text?: unknown }; status?: unknown }> {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 8; depth++) {
    yield e as never;
    const data = (e as { data?: { cause?: unknown } }).data;
    e = e.cause ?? data?.cause;
  }
};

/** HTTP status of a failure, wherever the SDK put it; null when there was no answer. */
export const httpStatusOf = (error: unknown): number | null => {
  for (const e of chain(error)) {
    const status = e.data?.status ?? e.status;
    if (typeof status === 'number') return status;
    const words = /\(HTTP (\d{3})\)|Non-200 status code \((\d{3})\)/.exec(e.message);
    if (words !== null) return Number(words[1] ?? words[2]);
    if (e.name === 'SseError' && typeof e.code === 'number') return e.code;
    if (e.name === 'UnauthorizedError') return 401;
    if (e.name === 'InsufficientScopeError') return 403;
  }
  return null;
};

const NOT_REACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'UND_ERR_CONNECT_TIMEOUT', 'ECONNREFUSED_TLS', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_NOT_YET_VALID', 'CERT_UNTRUSTED', 'INVALID_CA', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CONNECT_TIMEOUT', 'PROXY_UNREACHABLE', 'PROXY_SIGN_IN', 'PROXY_REFUSED', 'NETWORK_SETTING', 'ADDRESS_REFUSED']);
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/** System code of a failed connection. `reached: false`: refused before the first byte, so nothing can have been processed. */
export const networkCauseOf = (error: unknown): { readonly code: string; readonly reached: boolean } | null => {
  for (const e of chain(error)) {
    const inner = e instanceof AggregateError ? (e.errors[0] as { code?: unknown } | undefined)?.code : undefined;
    const code = typeof e.code === 'string' ? e.code : typeof inner === 'string' ? inner : null;
    if (code === null) continue;
    if (NOT_REACHED.has(code)) return { code, reached: false };
    if (BROKEN.has(code)) return { code, reached: true };
  }
  return null;
};

/** Whole: a fault is cut where it is masked (maskFault), never before. */
const words = (error: unknown): string => (error instanceof Error ? error.message : String(error)).toWellFormed();

/** Where a redirect leads that was not followed (to another origin, or one that would drop the body); the SDK names it without query and fragment. */
export const redirectTargetOf = (error: unknown): string | null => {
  for (const e of chain(error)) {
    if (!/redirect .*not followed/is.test(e.message)) continue;
    return (/https?:\/\/[^\s;]+/i.exec(e.message)?.[0] ?? 'another address').toWellFormed();
  }
  return null;
};

/** Spawn errors that only show when the system tries (P10). */
export const spawnFault = (error: unknown, file: string, cwd: string): Fault => {
  const code = (error as NodeJS.ErrnoException).code;
  const details = { file, cwd, ...(code === undefined ? {} : { cause: code }) };
  if (code === 'EACCES' || code === 'EPERM') return fault('command_not_permitted', `${file} may not be executed.`, { remedy: `Make it executable (chmod +x "${file}") and check that its folder allows programs.`, details });
  if (code === 'ENOEXEC' || code === 'EFTYPE' || code === 'UNKNOWN') return fault('command_not_permitted', `${file} is not a program this system can start.`, { remedy: 'Check that it was built for this system and, for a script, that it begins with a line such as #!/usr/bin/env node.', details });
  if (code === 'ENOENT' || code === 'ENOTDIR') return fault('command_not_found', `${file} could not be started: it, its interpreter (first line) or the folder ${cwd} is missing.`, { remedy: 'Install what its first line names, or set another command or working folder.', details: { ...details, searchedPath: [file] } });
  if (code === 'E2BIG') return fault('command_not_permitted', 'The arguments and environment are longer than this system allows.', { remedy: 'Shorten them.', details });
  if (code === 'EMFILE' || code === 'ENFILE' || code === 'EAGAIN' || code === 'ENOMEM') return fault('connection_failed', `The system had no room to start ${file} (${code}).`, { remedy: 'Close other programs and try again.', details });
  return fault('command_not_permitted', `${file} could not be started: ${words(error)}`, { details });
};

/** `fetch failed` says nothing; what caused it does (a port that HTTP leaves alone, C107). */
export const innermost = (error: unknown): string => [...chain(error)].map(words).findLast((text) => text !== '') ?? words(error);

const CHECK_PATH = 'Check the path of the URL; many end in /mcp or /sse.';

/** Something answers at this address, and it is no MCP server: what it sent says so. */
const noMcp = (how: string, details: Readonly<Record<string, unknown>>): Fault => fault('not_mcp', `The address answers, but not as an MCP server: it answered the handshake ${how}.`, { remedy: CHECK_PATH, details });

/** Too many requests, or trouble behind the address: it may pass. */
export const mayPass = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500;

const answeredWith = (status: number, askedMs: number | null, said: ReturnType<typeof saidBy>): Fault => {
  if (!mayPass(status)) return noMcp(`with HTTP ${status}`, { status, ...said });
  const pause = pauseAbout(askedMs);
  const why = status === 429 ? 'it asks for fewer requests' : 'it has trouble of its own';
  return fault('endpoint_error', `The address answers, but ${why}: it answered the handshake with HTTP ${status}.${pause.words}`, { remedy: 'It is tried again; if it stays so, ask who runs it.', details: { status, ...pause.details, ...said } });
};

/** One that is named and spoken here was proposed: what the endpoint says of itself does not hold (C021). */
const noCommonVersion = (supported: readonly string[]): Fault => {
  const common = SUPPORTED_PROTOCOL_VERSIONS.find((version) => supported.includes(version));
  if (common !== undefined) return fault('protocol_version', `The server names ${supported.join(', ')} as its protocol versions and refused ${common} when it was proposed.`, { remedy: 'Update the server, or ask who makes it.', details: { supported, refused: common } });
  return fault('protocol_version', `No protocol version in common: proposed ${LATEST_PROTOCOL_VERSION}, the server supports ${supported.join(', ') || 'another'}.`, { remedy: 'Update the server, or Gantry.', details: { supported } });
};

/** Why a handshake failed, as code, cause and remedy. `askedMs`: the pause that the endpoint named. */
export const connectFault = (error: unknown, url: string | null, askedMs: number | null = null): Fault => {
  if (isTooLarge(error)) return fault('frame_too_large', 'The endpoint sent a message over the cap.', {});
  const redirect = redirectTargetOf(error);
  if (redirect !== null) return fault('connection_failed', `The endpoint leads on to ${redirect}; that was not followed.`, { remedy: 'Give that address yourself, if you trust it.', details: { redirect } });
  const way = networkFault(error, url);
  if (way !== null) return way;
  const status = httpStatusOf(error);
  // only a proxy answers 407; the one that forwards plain http answers in the endpoint's place
  if (status === 407) return networkFault({ code: 'PROXY_SIGN_IN', status })!;
  if (status === 401 || status === 403) return fault('auth_required', `The endpoint answered ${status}: it wants ${status === 401 ? 'a sign-in or a key' : 'more rights'}.`, { remedy: 'Check the Authorization header of this server, or sign in.', details: { status, ...saidBy(error) } });
  const named = versionsNamedBy(spokenError(error) ?? (error as { data?: unknown }));
  if (named.length > 0) return noCommonVersion(named);
  if (status !== null) return answeredWith(status, askedMs, saidBy(error));
  const network = networkCauseOf(error);
  if (network !== null) return fault('connection_failed', `${url ?? 'The endpoint'} could not be reached (${network.code}).`, { remedy: 'Check the address, the network and that the server runs.', details: { cause: network.code } });
  const text = plainWords(error);
  const contentType = /^Unexpected content type: (.{1,200})/.exec(text)?.[1];
  if (contentType !== undefined) return noMcp(contentType === 'null' ? 'with nothing in it' : `with ${contentType}`, { contentType });
  if (/is not valid JSON|Unexpected end of JSON input/.test(text)) return noMcp('with JSON that cannot be read', {});
  const version = /protocol version is not supported: (\S+)/i.exec(text);
  if (version !== null || /unsupported protocol version|UnsupportedProtocolVersion/i.test(text)) {
    const data = (error as { data?: { supported?: unknown } }).data;
    const supported = Array.isArray(data?.supported) ? data.supported.map(String) : version !== null ? [version[1]!] : [];
    return noCommonVersion(supported);
  }
  if (/timed out|timeout/i.test(text)) return fault('start_timeout', 'There was no answer to the handshake in time.', { remedy: 'Look at its log; start it once in a terminal to see what it waits for.' });
  if (/fetch failed|terminated|other side closed/i.test(text)) return fault('connection_failed', `${url ?? 'The endpoint'} could not be reached: ${innermost(error)}`, { remedy: 'Check the address and the network.' });
  return fault('protocol_error', `The handshake failed: ${text}`, { remedy: 'Look at its log.' });
};
