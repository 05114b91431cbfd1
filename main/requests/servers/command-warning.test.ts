import { expect, test } from 'vitest';
import { commandWarning } from './command-warning.ts';

const find = (command: string): string | null => (command === 'npx' || command === '/opt/My App/server' ? command : null);

test('H19 a whole line in the place of a command is told before consent, with the field and the remedy', () => {
  expect(commandWarning({ kind: 'command', command: 'npx -y @modelcontextprotocol/server-memory' }, find)).toEqual({
    code: 'command_is_line', detail: 'npx -y @modelcontextprotocol/server-memory', field: '/spec/command', remedy: 'Give "npx" alone as the command and the rest as arguments.',
  });
});

test('H19 a program that is not there is told before consent, one that is there is not', () => {
  expect(commandWarning({ kind: 'command', command: 'nothing-there' }, find)).toMatchObject({ code: 'command_not_found', field: '/spec/command' });
  expect(commandWarning({ kind: 'command', command: 'npx' }, find)).toBeNull();
  expect(commandWarning({ kind: 'command', command: '/opt/My App/server' }, find)).toBeNull();
  expect(commandWarning({ kind: 'http', url: 'https://x.example' }, find)).toBeNull();
});
