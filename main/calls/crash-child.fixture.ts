import { appendFileSync } from 'node:fs';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import { Bus } from '../bus.ts';
import { systemClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { SqliteStore } from '../store/database.ts';
import { World } from './open-test-line.ts';
import { CallLine } from './run-call.ts';

/** A host process that ends itself with SIGKILL at a point of the line. argv: database, point, tier, file in which the "server" notes what it executed, the argument for a key against repeats. */
const [, , path = '', point = '', tier = 'high_write', record = '', field = ''] = process.argv;
const world = new World();
world.answer = (call) => {
  appendFileSync(record, `${call.frozenArguments}\n`);
  return World.text('done');
};
const id = world.tool({ name: 'tool', tier: tier === 'read_only' ? 'read_only' : 'high_write', ...(field === '' ? {} : { idempotency: { field, required: true } }) });
const line = new CallLine({
  store: new SqliteStore(path),
  bus: new Bus(),
  clock: systemClock,
  registry: world,
  pool: world,
  freshen: () => null,
  secrets: { knownValues: () => [] },
  validator: () => ({ ok: true, value: () => ({ ok: true }) }),
  settings: () => DEFAULT_SETTINGS,
  log: silentLog,
  onPoint: (now) => {
    if (now === point) process.kill(process.pid, 'SIGKILL');
  },
});
line.recoverAtStart();
const asked = await line.tryCall({ capabilityId: id, principal: 'user', input: { v: 1 } });
if (asked.ok && asked.value.approvalId !== undefined) {
  line.approvals.decide(asked.value.approvalId, 'approve', { by: 'me' });
  while (line.runningCount() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
