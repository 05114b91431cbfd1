import { expect, test } from 'vitest';
import { splitCommand } from './split-command.ts';

test('U22 a whole line written as a command is offered as program and arguments', () => {
  expect(splitCommand(' npx -y @modelcontextprotocol/server-memory ')).toEqual({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] });
  expect(splitCommand(`"C:\\Program Files\\node.exe" server.js --root='/a b'`)).toEqual({ command: 'C:\\Program Files\\node.exe', args: ['server.js', '--root=/a b'] });
  expect(splitCommand("node ''")).toEqual({ command: 'node', args: [''] });
});

test('U22 a single program, and a line whose quote stays open, are left alone', () => {
  for (const text of ['', 'npx', '/usr/bin/node', '"/opt/My App/server"', 'node "a b']) expect(splitCommand(text), text).toBeNull();
});
