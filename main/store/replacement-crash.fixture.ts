import { systemClock } from '../clock.ts';
import { openStore } from './open.ts';

/** Opens a data folder and ends itself with SIGKILL at the point of that number, counted from 1; prints the names of the points it passed. argv: folder, number. */
const [, , dataDir = '', number = '0'] = process.argv;
let passed = 0;
const opened = await openStore({
  dataDir,
  clock: systemClock,
  onPoint: (point) => {
    process.stdout.write(`${point}\n`);
    passed += 1;
    if (passed === Number(number)) process.kill(process.pid, 'SIGKILL');
  },
});
if (opened.ok) opened.value.store.close();
