import { expect, test } from 'vitest';
import type { Model } from '../../../../shared/model.ts';
import { draftOf, missingIn, newDraft, OWN, presetName, requestOf, withPreset } from './model-draft.ts';

const model: Model = { id: 'm1', label: 'gpt-x', provider: 'openai', baseUrl: 'https://api.openai.com/v1', model: 'gpt-x', routeId: 'openai-chat', routeSet: false, hasKey: true, isDefault: true, prices: { input: 1, output: 4, currency: 'EUR' }, limits: { contextTokens: 128_000, maxOutputTokens: null }, setAt: 1 };

test('AP08 a preset brings address and provider, an address of one\'s own keeps what was written', () => {
  const ollama = withPreset(newDraft(), 'ollama');
  expect(ollama).toMatchObject({ provider: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' });
  expect(withPreset(ollama, OWN)).toMatchObject({ preset: OWN, baseUrl: 'http://127.0.0.1:11434/v1', provider: 'ollama' });
  expect(draftOf(model)).toMatchObject({ preset: 'openai', label: '', hasKey: true, inputPrice: 1, contextTokens: 128_000 });
  expect(draftOf({ ...model, baseUrl: 'https://models.example/v1' }).preset).toBe(OWN);
});

test('AP08 a key that is not written stays, an emptied price is none, and what is missing is named first', () => {
  expect(requestOf(draftOf(model))).toEqual({ provider: 'openai', baseUrl: 'https://api.openai.com/v1', model: 'gpt-x', label: '', prices: { input: 1, output: 4, currency: 'EUR' }, limits: { contextTokens: 128_000, maxOutputTokens: null } });
  expect(requestOf({ ...draftOf(model), key: 'sk-new', outputPrice: '' })).toMatchObject({ key: 'sk-new', prices: null });
  expect(requestOf({ ...draftOf(model), removeKey: true })).toMatchObject({ key: null });
  expect(missingIn({ ...newDraft(), baseUrl: 'localhost:11434' })).toBe('baseUrl');
  expect(missingIn(newDraft())).toBe('model');
  expect(missingIn({ ...newDraft(), model: 'x' })).toBeNull();
});

test('AP08 a model is shown with the name of its own preset, at another port too, and not of another one of the same route', () => {
  expect(presetName({ provider: 'lm-studio', baseUrl: 'http://127.0.0.1:4321/v1' })).toBe('LM Studio');
  expect(presetName({ provider: 'moonshot', baseUrl: 'https://api.moonshot.cn/v1' })).toBe('Moonshot AI (月之暗面)');
  expect(presetName({ provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:1234/v1' })).toBeNull();
});
