import { err, ok, type Result } from '../../shared/result.ts';
import type { Outbound, OutboundClient } from '../network/outbound.ts';
import type { IconRefusal } from './icon-refusal.ts';
import { configuredOrigin, PUBLIC_ONLY } from '../network/address-guard.ts';
import { addressKind, literalAddress } from '../network/address-kind.ts';
import { addressRefusedIn } from '../network/address-refused.ts';
import { isLoopbackHost } from '../network/proxy-route.ts';

export const ICON_LIMITS = { fetchedBytes: 256 * 1024, dataBytes: 64 * 1024, timeMs: 5000, redirects: 3 } as const;

export interface FetchIconInput {
  readonly src: string;
  /** where the server is reached; null for a process */
  readonly serverUrl: string | null;
  readonly outbound: Outbound;
  readonly signal?: AbortSignal;
  readonly timeMs?: number;
}

/** A development server on this computer may show its own picture; this opens no other origin and no other host. */
const isOwnLoopback = (target: URL, serverUrl: string | null): boolean => serverUrl !== null && isLoopbackHost(target.hostname) && URL.canParse(serverUrl) && new URL(serverUrl).origin === target.origin;

const dataBytes = (src: string): Result<Buffer, IconRefusal> => {
  const parts = /^data:(image\/(?:png|jpe?g));base64,([A-Za-z0-9+/=\s]*)$/i.exec(src);
  if (parts === null) return err('address_not_allowed');
  const bytes = Buffer.from(parts[2]!, 'base64');
  return bytes.length > ICON_LIMITS.dataBytes ? err('too_large') : ok(bytes);
};

const judge = (target: URL, serverUrl: string | null): IconRefusal | 'own' | 'public' => {
  if (target.username !== '' || target.password !== '') return 'address_not_allowed';
  if (isOwnLoopback(target, serverUrl)) return 'own';
  if (target.protocol !== 'https:') return 'address_not_allowed';
  const literal = literalAddress(target.hostname);
  return literal !== null && addressKind(literal) !== 'public' ? 'address_not_public' : 'public';
};

/**
 * The bytes that a server names as its picture (M08): https only, public addresses only (judged when the connection is made), redirects within the origin only, no
 * cookies, no credentials, bounded in bytes and time. What the bytes are is judged by who decodes them.
 */
export const fetchIcon = async (input: FetchIconInput): Promise<Result<Buffer, IconRefusal>> => {
  if (/^data:/i.test(input.src)) return dataBytes(input.src);
  if (!URL.canParse(input.src)) return err('address_not_allowed');
  const timeout = AbortSignal.timeout(input.timeMs ?? ICON_LIMITS.timeMs);
  const signal = input.signal ? AbortSignal.any([input.signal, timeout]) : timeout;
  const first = new URL(input.src);
  let target = first;
  for (let hop = 0; hop <= ICON_LIMITS.redirects; hop += 1) {
    const judged = judge(target, input.serverUrl);
    if (judged !== 'own' && judged !== 'public') return err(judged);
    const client = input.outbound.client('server_icon', { guard: judged === 'public' ? PUBLIC_ONLY : configuredOrigin(target.origin) });
    try {
      const step = await once(target, client, signal);
      if (!step.ok) return step;
      if (Buffer.isBuffer(step.value)) return ok(step.value);
      if (step.value.origin !== first.origin) return err('redirected_elsewhere');
      target = step.value;
    } catch (error) {
      return err(timeout.aborted ? 'took_too_long' : addressRefusedIn(error) !== null ? 'address_not_public' : 'not_fetched');
    } finally {
      await client.close();
    }
  }
  return err('not_fetched');
};

/** One request: the bytes, or where it leads. */
const once = async (target: URL, client: OutboundClient, signal: AbortSignal): Promise<Result<Buffer | URL, IconRefusal>> => {
  const { statusCode, headers, body } = await client.get(target, { signal, headers: { accept: 'image/png, image/jpeg', 'accept-encoding': 'identity' } });
  const location = headers['location'];
  if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') return URL.canParse(location, target) ? ok(new URL(location, target)) : err('not_fetched');
  if (statusCode !== 200) return err('not_fetched');
  if (Number(headers['content-length'] ?? 0) > ICON_LIMITS.fetchedBytes) return err('too_large');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ICON_LIMITS.fetchedBytes) return err('too_large');
    chunks.push(chunk);
  }
  return ok(Buffer.concat(chunks));
};
