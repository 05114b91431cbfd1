import { systemClock } from '../clock.ts';
import { openStore } from './open.ts';

/**
 * A second process for the tests of P12, A22 and A23: opens the store of the folder given, says so in one line of JSON, holds it until killed.
 * With `write` it also leaves a committed row that stands in the write-ahead log only.
 */
const [dataDir = '', what] = process.argv.slice(2);
const opened = await openStore({ dataDir, clock: systemClock });
if (opened.ok && what === 'write') opened.value.store.writeDurable((db) => db.run("INSERT INTO settings VALUES ('theme', '\"dark\"')"));
process.stdout.write(`${JSON.stringify(opened.ok ? { ok: true, pid: process.pid } : { ok: false, error: opened.error })}\n`);
if (opened.ok) setInterval(() => {}, 1000);
