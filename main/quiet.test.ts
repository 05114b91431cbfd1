import { expect, test } from 'vitest';
import { Quiet } from './quiet.ts';

test('S79 what can wait begins when nobody has asked for a while, and in the end even if somebody always asks', async () => {
  await new Quiet({ stillMs: 60_000, atMostMs: 60_000 }).reached();

  const asked = new Quiet({ stillMs: 60_000, atMostMs: 60_000 });
  let begun = false;
  asked.asked();
  void asked.reached().then(() => (begun = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toBe(false);

  const still = new Quiet({ stillMs: 20, atMostMs: 60_000 });
  still.asked();
  await still.reached();

  const busy = new Quiet({ stillMs: 60_000, atMostMs: 20 });
  busy.asked();
  await busy.reached();
});
