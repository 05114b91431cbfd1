import type { EvidenceEvent } from '../../shared/run.ts';
import { shortHash } from './short-hash.ts';
import { duration, minuteOf } from './times.ts';

export type SentenceValues = Record<string, string | number>;

const shorten = (value: string): string => (/^[0-9a-f]{64}$/.test(value) ? shortHash(value) : value.slice(0, 200));

/** What a model asked the host about the answer, as it wrote it; null where it asked nothing. */
const wantedOf = ({ type, data: { hostResult } }: EvidenceEvent): string | null =>
  type === 'call.normalized' && typeof hostResult === 'object' && hostResult !== null ? JSON.stringify(hostResult).slice(1, -1).slice(0, 200) : null;

/**
 * Facts of one evidence row as values for its sentence: times and amounts by the unit that ends their name, hashes short.
 * Lists and objects stay in the raw row, which the sentence opens to.
 */
export const sentenceValues = (event: EvidenceEvent, language: string): SentenceValues => {
  const out: SentenceValues = {};
  for (const [key, value] of Object.entries(event.data)) {
    if (typeof value === 'number') out[key] = key.endsWith('Ms') ? duration(value, language) : key.endsWith('At') ? minuteOf(value, language) : key.endsWith('Bytes') ? new Intl.NumberFormat(language).format(value) : value;
    else if (typeof value === 'boolean') out[key] = String(value);
    else if (typeof value === 'string') out[key] = shorten(value);
  }
  const wanted = wantedOf(event);
  if (wanted !== null) out['wanted'] = wanted;
  return out;
};

/** Progress by what the server told: an amount of a total or alone, with words or without. */
const progressKey = ({ data: { progress, total, message } }: EvidenceEvent): string | null => {
  const hasWords = typeof message === 'string' && message !== '';
  if (typeof progress !== 'number') return hasWords ? 'words' : null;
  return `${typeof total === 'number' ? 'of' : 'at'}${hasWords ? '_words' : ''}`;
};

/** A turn of which no whole reply came: what was kept of it, or how it ended. */
const brokenTurn = ({ type, data }: EvidenceEvent): string | null => {
  if (type === 'turn.reply' && data['partial'] === true) return data['text'] === '' ? 'nothing' : 'partial';
  if (type === 'turn.failed') return data['code'] === 'cancelled' ? 'cancelled' : data['begun'] === true ? 'begun' : null;
  return null;
};

/** Keys of the event's sentence, the most exact first: by what was decided or came of it, then by its type alone. */
export const sentenceKeys = (event: EvidenceEvent): readonly string[] => {
  const base = `parts.event.${event.type.replaceAll('.', '_')}`;
  if (wantedOf(event) !== null) return [`${base}_host_field`, base];
  const progress = event.type === 'call.progress' ? progressKey(event) : null;
  if (progress !== null) return [`${base}_${progress}`, base];
  if (event.type === 'question.asked' && typeof event.data['kind'] === 'string' && /^[a-z]+$/.test(event.data['kind'])) return [`${base}_${event.data['kind']}`, base];
  const broken = brokenTurn(event);
  if (broken !== null) return [`${base}_${broken}`, base];
  const { status, answer } = event.data;
  const ofTask = event.type === 'task.cancel' ? answer : event.type.startsWith('task.') ? status : undefined;
  if (typeof ofTask === 'string' && /^[a-z_]+$/.test(ofTask)) return [`${base}_${ofTask}`, base];
  const exact = ['decision', 'effect', 'outcome', 'state', 'ground', 'ending'].map((name) => event.data[name]).find((value) => typeof value === 'string' && /^[a-z_]+$/.test(value));
  return exact === undefined ? [base] : [`${base}_${String(exact)}`, base];
};
