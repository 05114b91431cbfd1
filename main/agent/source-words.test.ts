import { expect, test } from 'vitest';
import { FAULT_CODES, type FaultCode } from '../../shared/fault-codes.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { ROUTES } from '../capabilities/routes/profiles.ts';
import { isolationText } from './isolation-notice.ts';
import { toldOutcome } from './outcome-text.ts';

const PLACE = 'http://127.0.0.1:40853/mcp /opt/canary/server.mjs CANARY_NAME X-Canary';
const OF_A_CALL = new Set(['timeout', 'interrupted', 'outcome_unknown', 'protocol_error']);
const codes = (Object.keys(FAULT_CODES) as FaultCode[]).filter((code) => FAULT_CODES[code].layer === 'transport' && !OF_A_CALL.has(code));
const WAITING: readonly FaultCode[] = ['auth_required', 'sign_in_required', 'sign_in_unsafe', 'sign_in_failed', 'scope_missing', 'client_id_required', 'consent_required', 'address_refused', 'quarantined', 'disabled', 'dangerous_environment'];

const told = (of: Fault): string =>
  toldOutcome(
    { invocationId: 'i', runId: 'r', state: 'failed', class: 'unavailable', code: of.code, fault: of },
    { takes: ROUTES.portable.toolResults, mediaLeftBytes: 0, readTool: 'read', categoryOnly: false, alternatives: [], capabilityId: 'mcp:far:tool:look' },
  ).text;

test.each([...codes, ...WAITING])('AC07 a model that hears of %s hears of no place, program or name of the configuration', (code) => {
  const of = fault(code, `${PLACE} failed.`, { field: '/env/CANARY_NAME', remedy: `Run ${PLACE}.`, details: { cause: 'ECONNREFUSED', file: PLACE, exitCode: 3 } });
  const confirmed = fault('unavailable', `${PLACE} The connection could not be recovered.`, { remedy: PLACE, details: { code, cause: PLACE, confirmed: true } });
  const isolated = fault('unavailable', `The source "far" failed in this run: ${PLACE}`, { details: { code, isolated: true, backSince: 1 } });
  const all = [told(of), told(confirmed), told(isolated), isolationText([{ serverId: 'far', why: of, backSince: null }])];
  for (const text of all) {
    expect(text).not.toMatch(/40853|canary/i);
    expect(text).toContain(code);
  }
  expect(all[0]).toContain('ECONNREFUSED, exit code 3');
  expect(all[0]).toContain('The tool was not called.');
  expect(all[1]).toContain('could not be recovered');
  expect(all[2]).toMatch(/failed in this run[\s\S]*reachable again, but stays out of this run/);
});

test('AC07 what the registry says of a source, in words of its own, is told as it stands', () => {
  expect(told(fault('unavailable', 'It cannot be reached now: its server is switched off. It was not called.', { details: { reason: 'disabled', stage: 'fresh_healthy' } }))).toContain('switched off');
});
