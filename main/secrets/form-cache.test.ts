import { expect, test } from 'vitest';
import { FormCache } from './form-cache.ts';
import { createMasker } from './mask.ts';
import { secretForms } from './secret-forms.ts';

const line = (n: number): string => Array.from({ length: 64 }, (_, i) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[(n * 31 + i * 7 + ((n * i) % 13)) % 64]).join('');
const PEM = `-----BEGIN PRIVATE KEY-----\n${Array.from({ length: 50 }, (_, n) => line(n)).join('\n')}\n-----END PRIVATE KEY-----\n`;

test('K35 forms are made ahead in slices that let others work, the same as at once, and once for all maskers', async () => {
  const cache = new FormCache();
  const keys = Array.from({ length: 60 }, (_, n) => `sk-${line(n).slice(0, 40)}`);
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  await cache.prepare([PEM, ...keys]);
  clearInterval(others);
  expect(turns).toBeGreaterThan(0);
  expect(cache.size).toBe(61);
  expect(cache.of(PEM)).toEqual(secretForms(PEM));
  expect(cache.of(keys[3]!)).toEqual(secretForms(keys[3]!));
  const before = cache.of(PEM);
  const known = [{ ref: 'a', value: PEM }, ...keys.map((value, n) => ({ ref: `k${n}`, value }))];
  for (const mask of [createMasker(() => known, cache), createMasker(() => known, cache)]) expect(mask(`x ${keys[7]} ${line(20)} y`)).toBe('x [secret] [secret] y');
  expect(cache.of(PEM)).toBe(before);
});

test('K35 what is not prepared yet is masked all the same; what is no longer known is forgotten', async () => {
  const cache = new FormCache();
  let known = [{ ref: 'a', value: 'first-secret-value' }];
  const mask = createMasker(() => known, cache);
  const preparing = cache.prepare([PEM, 'first-secret-value', 'second-secret-value']);
  known = [...known, { ref: 'b', value: 'second-secret-value' }];
  expect(mask('first-secret-value second-secret-value')).toBe('[secret] [secret]');
  await preparing;
  known = [{ ref: 'b', value: 'second-secret-value' }];
  expect(mask('first-secret-value second-secret-value')).toBe('first-secret-value [secret]');
  expect(cache.size).toBe(1);
});
