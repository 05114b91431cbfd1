import { expect, test } from 'vitest';
import { embeddingsDraft, embeddingsRequestOf, hostOf, isHere, withEmbeddingPreset } from './embeddings-draft.ts';
import { missingIn, OWN } from './model-draft.ts';

test('EM16 a draft begins on this computer, a preset brings its address, a key that is not written stays, and what is missing is named', () => {
  const begun = embeddingsDraft(null);
  expect(begun).toMatchObject({ preset: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' });
  expect(missingIn(begun)).toBe('model');
  const openai = withEmbeddingPreset({ ...begun, model: ' m ' }, 'openai');
  expect(embeddingsRequestOf(openai)).toEqual({ provider: 'openai', baseUrl: 'https://api.openai.com/v1', model: 'm', dimensions: null });
  expect(embeddingsRequestOf({ ...openai, key: 'sk', dimensions: 256 })).toMatchObject({ key: 'sk', dimensions: 256 });
  expect(withEmbeddingPreset(openai, OWN)).toMatchObject({ preset: OWN, baseUrl: 'https://api.openai.com/v1' });
  expect(embeddingsDraft({ provider: 'x', baseUrl: 'https://e.example/v1', model: 'm', dimensions: 64, hasKey: true, enabled: true, isLocal: false, setAt: 1 })).toMatchObject({ preset: OWN, dimensions: 64, hasKey: true });
  expect(['http://127.0.0.1:1/v1', 'http://localhost/v1', 'http://[::1]:1', 'https://api.example', 'no address'].map((url) => ((host) => host !== null && isHere(host))(hostOf(url)))).toEqual([true, true, true, false, false]);
});
