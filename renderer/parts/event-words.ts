import type { EvidenceEvent } from '../../shared/run.ts';

/** Facts of one evidence row as plain values for a sentence: only short text, numbers and yes or no; the rest stays in the raw row. */
export const sentenceValues = (event: EvidenceEvent): Record<string, string | number> => {
  const out: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(event.data)) {
    if (typeof value === 'number') out[key] = value;
    else if (typeof value === 'boolean') out[key] = String(value);
    else if (typeof value === 'string') out[key] = value.length > 64 && /^[0-9a-f]+$/.test(value) ? `${value.slice(0, 8)}…${value.slice(-4)}` : value.slice(0, 200);
    if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) out[key] = `${value.slice(0, 8)}…${value.slice(-4)}`;
  }
  return out;
};

/** Key of the event's sentence: `call.intent` is told by `parts.event.call_intent`, a decision by what was decided. */
export const sentenceKey = (event: EvidenceEvent): string => {
  const base = `parts.event.${event.type.replaceAll('.', '_')}`;
  const decision = event.data['decision'];
  if (typeof decision === 'string' && /^[a-z]+$/.test(decision)) return `${base}_${decision}`;
  return base;
};
