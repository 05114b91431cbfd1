/** A host that installs `app` and is meant to be killed on the way. Arguments: registry address, data folder, allowed scripts. */
import { systemClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { Installer } from './installer.ts';
import { plainWay } from '../network/plain-network.fixture.ts';

const [registry, dataDir, ...allowScripts] = process.argv.slice(2);
const installer = new Installer({ dataDir: dataDir!, clock: systemClock, log: silentLog, way: plainWay({ registry, fetchRetries: 0 }) });
await installer.install({ serverId: 'app', spec: { kind: 'npm', package: 'app' }, allowScripts, onProgress: (step) => process.stdout.write(`${step}\n`) });
