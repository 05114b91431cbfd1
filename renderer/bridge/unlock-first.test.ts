// @vitest-environment node
import { expect, test } from 'vitest';
import type { Bridge } from '../../shared/contract/bridge.ts';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import { unlockFirst } from './unlock-first.ts';

const locked = err(fault('secret_store_locked', 'locked', { details: { state: 'not_set_up' } }));
/** A host whose secret store is closed until `state.open`. */
const door = (sent: unknown[], state: { open: boolean }): Bridge => ({
  shell: 'loopback',
  request: (async (name: string, input: unknown) => {
    sent.push([name, input]);
    return state.open ? ok({ id: 'm' }) : locked;
  }) as never,
  on: () => () => {},
  onConnection: () => () => {},
});
const draft = { id: null, key: 'typed once' } as never;

test('K50 what a person saves waits until the secret store is open, and is sent again as it was typed', async () => {
  const sent: unknown[] = [];
  const state = { open: false };
  const bridge = unlockFirst(door(sent, state), async () => (state.open = true));
  expect(await bridge.request('models:set', draft)).toMatchObject({ ok: true });
  expect(sent).toEqual([['models:set', draft], ['models:set', draft]]);
});

test('K50 who turns back gets the fault with its state, nothing is sent twice, and a reading asks nobody', async () => {
  const sent: unknown[] = [];
  let asked = 0;
  const bridge = unlockFirst(door(sent, { open: false }), async () => (asked++, false));
  expect(await bridge.request('models:set', draft)).toBe(locked);
  expect(await bridge.request('models:list', {} as never)).toBe(locked);
  expect([asked, sent.length]).toEqual([1, 2]);
});
