import { describe, expect, test } from 'vitest';
import type { Argument } from '../../../shared/server.ts';
import { systemClock } from '../../clock.ts';
import { Secrets } from '../../secrets/secrets.ts';
import { openTestStore } from '../../store/open-test-store.ts';
import { checkArgs, sealArgs, shownArgs } from './sealed-args.ts';

// each passphrase costs 64 MiB and a good part of a second on an idle core

describe('secrets among the arguments', () => {
  test('K30 a place is named after its flag, else after its position, and the preview shows it', () => {
    expect(shownArgs(['--token', { secret: 'a' }, { secret: 'b' }], ['x'])).toEqual(['--token', { secretRef: 'arg.--token' }, { secretRef: 'arg.4' }]);
    expect(shownArgs([{ secret: 'a' }], ['--key'])).toEqual([{ secretRef: 'arg.--key' }]);
    expect(shownArgs(['-k', { secret: 'a' }, '-k', { secret: 'b' }], [])).toEqual(['-k', { secretRef: 'arg.-k' }, '-k', { secretRef: 'arg.-k.2' }]);
  });

  test('K30 a new value after the same flag keeps the reference; one that stays is never overwritten by another', async () => {
    const secrets = await Secrets.open({ store: openTestStore(), clock: systemClock, keychain: 'off', env: {} });
    expect((await secrets.unlock('a long passphrase')).ok).toBe(true);
    const seal = (inputs: Parameters<typeof sealArgs>[0]['inputs'], before: readonly Argument[]) => {
      const sealed = sealArgs({ serverId: 's', inputs, lead: [], before }, { secrets });
      if (!sealed.ok) throw new Error(sealed.error.message);
      return sealed.value;
    };
    const refOf = (arg: Argument | undefined): string => (typeof arg === 'object' ? arg.secretRef : '');
    const { args: before } = seal(['--token', { secret: 'one' }, { secret: 'two' }], []);
    const [token, position] = [refOf(before[1]), refOf(before[2])];
    expect(seal(['--token', { secret: 'other' }, { secretRef: position }], before)).toEqual({ args: before, replaced: [] });
    expect([secrets.reveal(token), secrets.reveal(position)]).toMatchObject([{ value: 'other' }, { value: 'two' }]);
    // a new one comes to stand where the kept one stood
    const moved = seal(['-v', '', { secret: 'three' }, { secretRef: position }], before);
    expect(moved.replaced).toEqual([token]);
    expect(refOf(moved.args[2])).not.toBe(position);
    expect(secrets.reveal(position)).toMatchObject({ value: 'two' });
    secrets.close();
  });

  test('K31 a reference that is no sealed argument of this server is refused, and so is a NUL', () => {
    expect(checkArgs([{ secretRef: 'env-ref' }], [{ secretRef: 'r1' }])).toMatchObject({ code: 'invalid_request', field: '/args/0' });
    expect(checkArgs(['a', { secretRef: 'r1' }], [{ secretRef: 'r1' }])).toBeNull();
    expect(checkArgs(['a', { secret: 'x\0y' }], [])).toMatchObject({ field: '/args/1' });
  });
});
