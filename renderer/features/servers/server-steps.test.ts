import { expect, test } from 'vitest';
import type { ServerDetail } from '../../../shared/server.ts';
import { stepsOf } from './server-steps.ts';

const said = ((key: string, values?: object) => (values ? `${key} ${JSON.stringify(values)}` : key)) as never;
const notOffered = { outcome: 'not_offered' } as const;
const server = {
  id: 'files', spec: { kind: 'http', url: 'https://x.example/mcp' }, createdAt: 1, status: { state: 'ready', since: 5 }, toolCount: 4, grantedCount: 1, answers: { access: { numbers: { admitted: 4 } } }, consentedFingerprint: 'f1', launch: { kind: 'http', url: 'x', headers: {}, fingerprint: 'f1' },
  installation: null, facts: [{ step: 'connected', at: 4, ok: true, data: {} }],
  connection: { transport: 'stdio', protocolVersion: '2025-11-25', era: 'legacy', serverInfo: { name: '', version: '' }, connectMs: 480 },
  discovery: { at: 5, launchFingerprint: 'f1', tools: { outcome: 'read', count: 4, partial: false, malformed: [] }, resources: notOffered, resourceTemplates: notOffered, prompts: notOffered },
} as unknown as ServerDetail;

test('U15 each step of a server has its own fact and time', () => {
  const [installed, connected, discovered, access] = stepsOf(server, said, (ms) => `${ms} ms`);
  expect(installed).toMatchObject({ title: 'saved', share: 1, tone: 'done', at: 1 });
  expect(connected).toMatchObject({ share: 1, at: 4, facts: ['stdio', '2025-11-25', '480 ms'] });
  expect(discovered?.facts[0]).toContain('"count":4');
  expect(access?.share).toBe(0.25);
});

test('U15 a reading that failed is said to have failed, never shown as zero', () => {
  const failed = { ...server, discovery: { ...server.discovery!, tools: { outcome: 'failed', fault: { code: 'discovery_failed', message: '' } } } } as unknown as ServerDetail;
  const discovered = stepsOf(failed, said, String)[2]!;
  expect(discovered.tone).toBe('failed');
  expect(discovered.facts[0]).toContain('servers.reading.tools.failed');
});

test('U15 a launch that differs from the one agreed to waits for the person', () => {
  expect(stepsOf({ ...server, consentedFingerprint: 'f0' }, said, String)[0]).toMatchObject({ tone: 'waits', facts: ['servers.step.agreedOther'] });
});
