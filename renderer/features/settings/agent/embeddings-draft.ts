import type { InputOf } from '../../../../shared/contract/contract.ts';
import { EMBEDDING_PRESETS } from '../../../../shared/embedding-presets.ts';
import type { Embeddings } from '../../../../shared/embeddings.ts';
import { OWN } from './model-draft.ts';

/** What a person writes of the embeddings endpoint; a number as it stands in its field. */
export interface EmbeddingsDraft {
  readonly preset: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  /** empty: the one that is kept stays */
  readonly key: string;
  readonly hasKey: boolean;
  readonly dimensions: number | string;
}

/** A preset brings its provider and address; an address of one's own keeps what is written. */
export const withEmbeddingPreset = (draft: EmbeddingsDraft, id: string): EmbeddingsDraft => {
  const preset = EMBEDDING_PRESETS.find((one) => one.id === id);
  return preset === undefined ? { ...draft, preset: OWN, provider: draft.provider === '' ? 'openai-compatible' : draft.provider } : { ...draft, preset: id, provider: preset.provider, baseUrl: preset.baseUrl };
};

export const embeddingsDraft = (kept: Embeddings | null): EmbeddingsDraft =>
  kept === null
    ? withEmbeddingPreset({ preset: '', provider: '', baseUrl: '', model: '', key: '', hasKey: false, dimensions: '' }, EMBEDDING_PRESETS[0]!.id)
    : { preset: EMBEDDING_PRESETS.find(({ provider, baseUrl }) => provider === kept.provider && baseUrl === kept.baseUrl)?.id ?? OWN, provider: kept.provider, baseUrl: kept.baseUrl, model: kept.model, key: '', hasKey: kept.hasKey, dimensions: kept.dimensions ?? '' };

/** As the host takes it. */
export const embeddingsRequestOf = ({ provider, baseUrl, model, key, dimensions }: EmbeddingsDraft): NonNullable<InputOf<'embeddings:test'>['draft']> => ({
  provider: provider.trim(), baseUrl: baseUrl.trim(), model: model.trim(), ...(key === '' ? {} : { key }), dimensions: typeof dimensions === 'number' ? dimensions : null,
});

/** Whom these texts would go to; null while the address is none. */
export const hostOf = (baseUrl: string): string | null => URL.parse(baseUrl.trim())?.hostname || null;

/** This computer, by its address. */
export const isHere = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\./.test(host);
