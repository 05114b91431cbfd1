import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VoidCause } from '../shared/approval.ts';
import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import { until } from './support/census.ts';
import { InProcess } from './support/in-process.ts';

const host = new InProcess();
// each run calls once and answers with what it is told
const model = new ScriptedModel({ rules: ['openai-basic'], turns: Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? { calls: [{ id: `c${i}`, toolByDescription: 'Writes a note', args: { text: 'a' } }] } : { text: 'told' })) });
const NOTE = 'mcp:rec:tool:note';
let profileId = '';
const principal = () => `agent:${profileId}`;

beforeAll(async () => {
  await host.start();
  await host.ask('models:set', { provider: 'openai', baseUrl: await model.start(), model: 'scripted-1' });
  profileId = (await host.ask('profiles:set', { name: 'writer' })).profile.id;
});
afterAll(async () => {
  await model.close();
  await host.end();
});

const admit = () => host.ask('capabilities:review', { capabilityId: NOTE, tier: 'high_write', admit: true });
const allow = (allowed: boolean) => host.ask('access:set', { principal: principal(), capabilityId: NOTE, allowed });
const scope = (servers: string[] | null) => host.ask('profiles:set', { id: profileId, scope: { servers, capabilities: null, topTier: null } });

const CAUSES: readonly (readonly [string, VoidCause, RegExp, () => Promise<unknown>, () => Promise<unknown>])[] = [
  ['switched off', 'disabled', /was switched off/, () => host.ask('servers:disable', { serverId: 'rec' }), () => host.ask('servers:enable', { serverId: 'rec' })],
  ['access taken away', 'access_revoked', /access to the tool was taken away/, () => allow(false), () => allow(true)],
  ['profile narrowed', 'out_of_scope', /scope of the profile was narrowed/, () => scope(['other']), () => scope(null)],
  ['admission withdrawn', 'not_admitted', /admission of the tool was withdrawn/, () => host.ask('capabilities:review', { capabilityId: NOTE, tier: 'high_write', admit: false }), () => admit().then(() => allow(true))],
  ['configuration changed', 'configuration_changed', /configuration of the server changed/, () => host.ask('servers:update', { serverId: 'rec', env: { MORE: '1' }, consent: true }), async () => undefined],
  ['put in quarantine', 'quarantined', /put in quarantine/, () => host.ask('servers:quarantine', { serverId: 'rec' }), () => host.ask('servers:release', { serverId: 'rec' }).then(() => host.ask('servers:enable', { serverId: 'rec' }))],
  ['removed', 'removed', /server was removed/, () => host.ask('servers:remove', { serverId: 'rec' }), async () => undefined],
];

test('CL33 AC15 whatever makes an approval unusable ends it at once: the run hears the true reason and goes on, and nothing waits any more', async () => {
  await host.serve('rec', join(import.meta.dirname, 'fixtures', 'recording-server.mjs'), { RECORD_FILE: join(host.folder, 'record.jsonl') });
  await admit();
  for (const [what, cause, says, happens, mended] of CAUSES) {
    await host.ask('servers:connect', { serverId: 'rec' });
    await allow(true);
    const { runId } = await host.ask('agent:run', { prompt: 'write', profileId });
    const waiting = async () => (await host.ask('approvals:list', { state: 'pending' })).approvals;
    await until(`${what}: the call waits`, async () => (await waiting()).length === 1);
    expect([what, (await host.ask('health:status', {})).awaitingApprovals]).toEqual([what, 1]);
    await happens();
    expect([what, (await waiting()).length, (await host.ask('health:status', {})).awaitingApprovals]).toEqual([what, 0, 0]);
    await until(`${what}: the run goes on to its end`, async () => (await host.ask('runs:get', { runId })).run.state === 'completed');
    expect(model.accepted.at(-1)!.text).toMatch(says);
    const { events } = await host.ask('runs:get', { runId });
    expect([what, events.filter(({ type }) => type === 'approval.voided').map(({ data }) => data['cause'])]).toEqual([what, [cause]]);
    await mended();
  }
});
