import { afterEach, test } from 'vitest';
import { errorsOf, keepsDistance, neverDone, reusedIds, stopped, unusableIds } from './task-eras.fixture.ts';
import { closeTaskLines } from './task-line.fixture.ts';

afterEach(closeTaskLines);

test('TK03 in the newer era: questions keep the distance of the class and of the server, within bounds', () => keepsDistance('modern'));
test('TK03 TK04 in the newer era: a task that is never done ends in its time, and its server is asked to end it', () => neverDone('modern'));
test('TK04 in the newer era: errors of a task are told as what they are', () => errorsOf('modern'));
test('TK05 in the newer era: stop ends the call and asks the server to end the task, without a cancelled notification', () => stopped('modern'));
test('TK06 in the newer era: an id that is none, the state of another task and a state that is not known end the call', () => unusableIds('modern'));
test('TK06 in the newer era: an id that this server named before is another call\'s: it is neither asked about nor ended for this one', () => reusedIds('modern'));
