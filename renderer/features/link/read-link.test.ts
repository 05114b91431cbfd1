import { expect, test } from 'vitest';
import { readLink } from './read-link.ts';

test('W12 a link to a market entry is read by its id alone; what else it carries has no effect', () => {
  expect(readLink('gantry://market/filesystem')).toEqual({ kind: 'entry', entryId: 'filesystem' });
  expect(readLink('GANTRY://market/a%2Fb?install=yes&command=sh#approve')).toEqual({ kind: 'entry', entryId: 'a/b' });
});

test('W12 an install link or a configuration is for the import to look at', () => {
  for (const text of ['gantry://mcp/install?name=x&config=e30', 'vscode:mcp/install?%7B%22name%22%3A%22x%22%7D', 'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=e30', 'goose://extension?cmd=npx', '{"mcpServers":{}}', 'https://insiders.vscode.dev/redirect?url=vscode%3Amcp%2Finstall']) {
    expect([text, readLink(text)]).toEqual([text, { kind: 'settings' }]);
  }
});

test('W12 every other link is not known, whatever it says', () => {
  for (const link of ['gantry://install?command=sh', 'gantry://market/', 'gantry://market', 'gantry:market/x', 'https://market/x', 'javascript:alert(1)', 'gantry://market/%zz', `gantry://market/${'a'.repeat(201)}`, 'gantry://approvals/decide', '', 'gantry://market.evil.example/x']) {
    expect([link, readLink(link)]).toEqual([link, { kind: 'unknown' }]);
  }
});
