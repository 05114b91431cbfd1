import { isObject } from '../../shared/is-object.ts';
import type { EvidenceEvent } from '../../shared/run.ts';

/**
 * The tools of captured requests against what the turns recorded of their selection: names that went out and that no pipeline let out, and names that it let
 * out and that did not go. Both are to be empty. `requests`: those that were taken, one a turn.
 */
export const besideSelection = (requests: readonly { readonly tools: readonly { readonly name: string }[] }[], events: readonly EvidenceEvent[]): { readonly sent: string[]; readonly kept: string[] } => {
  const turns = events.filter(({ type }) => type === 'turn.request');
  if (turns.length !== requests.length) throw new Error(`${requests.length} requests and ${turns.length} turns`);
  const beside = { sent: [] as string[], kept: [] as string[] };
  for (const [at, { tools }] of requests.entries()) {
    const { exposed, selection } = turns[at]!.data as { exposed: readonly { name: string; capabilityId: string }[]; selection?: { ranked: readonly { capabilityId: string; place: number; exposed: boolean }[] } };
    if (!isObject(selection)) throw new Error(`turn ${at + 1} has no record of its selection`);
    const out = new Set(selection.ranked.filter((one) => one.exposed && one.place > 0).map(({ capabilityId }) => capabilityId));
    const letOut = new Set(exposed.filter(({ capabilityId }) => out.has(capabilityId)).map(({ name }) => name));
    const names = new Set(tools.map(({ name }) => name));
    beside.sent.push(...[...names].filter((name) => !letOut.has(name)));
    beside.kept.push(...[...letOut].filter((name) => !names.has(name)));
    if (letOut.size !== out.size) throw new Error(`turn ${at + 1} let out what it did not name`);
  }
  return beside;
};
