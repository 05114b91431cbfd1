import type { Definition } from '../../../shared/capability.ts';
import type { Tier } from '../../../shared/tier.ts';
import type { WireOutcome } from '../../servers/wire-outcome.ts';

/** Who asks a tool of the host's own: what it may look at hangs on it. */
export interface HostAsker {
  readonly runId: string;
  readonly principal: string;
  readonly signal: AbortSignal;
}

/** A tool of the host's own, `mcp:host:tool:<name>`. It goes down the same line as a server's (design section 3); only what answers differs. */
export interface HostTool {
  readonly definition: Definition;
  readonly tier: Tier;
  /** `input` fits the definition's schema. Never rejects. */
  readonly call: (input: unknown, asker: HostAsker) => Promise<WireOutcome>;
}

const sized = (raw: unknown, more: Partial<Extract<WireOutcome, { kind: 'result' }>> = {}): WireOutcome => ({ kind: 'result', raw, sizeBytes: Buffer.byteLength(JSON.stringify(raw)), exact: [], ...more });

export const answered = (structuredContent: unknown, more: Partial<Extract<WireOutcome, { kind: 'result' }>> = {}): WireOutcome => sized({ content: [], structuredContent }, more);

/** Told to whoever called as the tool's own error. */
export const refused = (words: string): WireOutcome => sized({ content: [{ type: 'text', text: words }], isError: true });
