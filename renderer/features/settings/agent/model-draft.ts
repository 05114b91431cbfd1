import type { InputOf } from '../../../../shared/contract/contract.ts';
import type { Model } from '../../../../shared/model.ts';
import { MODEL_PRESETS } from '../../../../shared/model-presets.ts';

/** What a person writes of a model; numbers as they stand in their fields. */
export interface ModelDraft {
  readonly id: string | null;
  readonly preset: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly label: string;
  /** empty: the one that is kept stays */
  readonly key: string;
  readonly hasKey: boolean;
  readonly removeKey: boolean;
  readonly inputPrice: number | string;
  readonly outputPrice: number | string;
  readonly currency: string;
  readonly contextTokens: number | string;
  readonly maxOutputTokens: number | string;
}

/** The id of the choice beside the presets: an address of one's own. */
export const OWN = 'own';

const presetOf = ({ provider, baseUrl }: Pick<Model, 'provider' | 'baseUrl'>): string => MODEL_PRESETS.find((one) => one.provider === provider && one.baseUrl === baseUrl)?.id ?? OWN;

/** The name of its preset, at another address too; null for an address of one's own. */
export const presetName = ({ provider, baseUrl }: Pick<Model, 'provider' | 'baseUrl'>): string | null => {
  const all = MODEL_PRESETS.filter((one) => one.provider === provider);
  return (all.find((one) => one.baseUrl === baseUrl) ?? all[0])?.name ?? null;
};

export const newDraft = (): ModelDraft => withPreset({ id: null, preset: '', provider: '', baseUrl: '', model: '', label: '', key: '', hasKey: false, removeKey: false, inputPrice: '', outputPrice: '', currency: 'USD', contextTokens: '', maxOutputTokens: '' }, MODEL_PRESETS[0]!.id);

export const draftOf = (model: Model): ModelDraft => ({
  id: model.id, preset: presetOf(model), provider: model.provider, baseUrl: model.baseUrl, model: model.model, label: model.label === model.model ? '' : model.label, key: '', hasKey: model.hasKey, removeKey: false,
  inputPrice: model.prices?.input ?? '', outputPrice: model.prices?.output ?? '', currency: model.prices?.currency ?? 'USD', contextTokens: model.limits.contextTokens ?? '', maxOutputTokens: model.limits.maxOutputTokens ?? '',
});

/** A preset brings its provider and address; an address of one's own keeps what is written. */
export const withPreset = (draft: ModelDraft, id: string): ModelDraft => {
  const preset = MODEL_PRESETS.find((one) => one.id === id);
  return preset === undefined ? { ...draft, preset: OWN, provider: draft.provider === '' ? 'openai-compatible' : draft.provider } : { ...draft, preset: id, provider: preset.provider, baseUrl: preset.baseUrl };
};

const amount = (value: number | string): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/** As the host takes it. Without both prices there is none. */
export const requestOf = (draft: ModelDraft): Omit<InputOf<'models:set'>, 'id'> => {
  const [input, output] = [amount(draft.inputPrice), amount(draft.outputPrice)];
  return {
    provider: draft.provider.trim(), baseUrl: draft.baseUrl.trim(), model: draft.model.trim(), label: draft.label.trim(),
    ...(draft.key !== '' ? { key: draft.key } : draft.removeKey ? { key: null } : {}),
    prices: input === null || output === null ? null : { input, output, currency: draft.currency.trim().toUpperCase() },
    limits: { contextTokens: amount(draft.contextTokens), maxOutputTokens: amount(draft.maxOutputTokens) },
  };
};

/** The first field that has to be written still; null where the draft can be tried and saved. */
export const missingIn = (draft: Pick<ModelDraft, 'baseUrl' | 'model'>): 'baseUrl' | 'model' | null => (/^https?:\/\/[^\s/]/.test(draft.baseUrl.trim()) ? (draft.model.trim() === '' ? 'model' : null) : 'baseUrl');
