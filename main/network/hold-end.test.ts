import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { holdEnd } from './hold-end.ts';

const connection = () => {
  const parser = { paused: true };
  const socket = holdEnd(Object.assign(new EventEmitter(), { [Symbol('parser')]: parser }));
  const heard: string[] = [];
  for (const event of ['data', 'end', 'close', 'error']) socket.on(event, () => heard.push(event));
  return { parser, socket, heard };
};

test('NG11 the end of a connection waits until its answer is read on, and what follows it keeps its place', async () => {
  const { parser, socket, heard } = connection();
  socket.emit('data');
  socket.emit('end');
  socket.emit('close');
  expect(heard).toEqual(['data']);
  parser.paused = false;
  await once(socket, 'close');
  expect(heard).toEqual(['data', 'end', 'close']);
});

test('NG11 a connection that is not paused, or fails, is told at once', () => {
  const free = connection();
  free.parser.paused = false;
  free.socket.emit('end');
  expect(free.heard).toEqual(['end']);
  const failing = connection();
  failing.socket.emit('end');
  failing.socket.emit('error', new Error('broken'));
  failing.socket.emit('close');
  expect(failing.heard).toEqual(['error', 'close']);
});
