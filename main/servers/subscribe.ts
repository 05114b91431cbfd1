import type { InboundEvents, ListKind } from './inbound.ts';
import type { Session } from './session.ts';

const KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources'];
const ACK_MS = 30_000;
const FIRST_WAIT_MS = 1000;
const LAST_WAIT_MS = 30_000;
/** A subscription that stood so long was no failure. */
const STOOD_MS = 60_000;
const FAILURES_IN_A_ROW = 5;

/** The kinds of lists whose changes the server says it announces. */
export const announcedKinds = (capabilities: Readonly<Record<string, unknown>>): ListKind[] =>
  KINDS.filter((kind) => (capabilities[kind] as { listChanged?: unknown } | undefined)?.listChanged === true);

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms).unref());

/**
 * In the newer era changes of lists come on a subscription (2026-07-28, `subscriptions/listen`), which does not resume: one that ended is opened again, and what was
 * announced in between is unknown, so it counts as a change. A server that refuses it, or keeps ending it, is read again by age.
 */
export const subscribe = async (session: Session, events: Pick<InboundEvents, 'listChanged'>): Promise<void> => {
  const { client } = session;
  const kinds = announcedKinds(session.capabilities);
  if (kinds.length === 0) return;
  const filter = Object.fromEntries(kinds.map((kind) => [`${kind}ListChanged`, true]));
  let stoodOnce = false;
  let waitMs = FIRST_WAIT_MS;
  for (let failures = 0; failures < FAILURES_IN_A_ROW; failures += 1) {
    const openedAt = performance.now();
    try {
      const subscription = await client.listen(filter, { timeout: ACK_MS });
      if (stoodOnce) for (const kind of kinds) events.listChanged(kind);
      stoodOnce = true;
      await subscription.closed;
    } catch {
      if (!stoodOnce) return;
    }
    if (performance.now() - openedAt > STOOD_MS) {
      failures = 0;
      waitMs = FIRST_WAIT_MS;
    }
    await pause(waitMs);
    waitMs = Math.min(LAST_WAIT_MS, waitMs * 2);
    if (client.transport === undefined) return;
  }
};
