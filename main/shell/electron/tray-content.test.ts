import { expect, test } from 'vitest';
import { desktopWords, counted, wordsFor } from './desktop-words.ts';
import { trayIcon } from './tray.ts';
import { trayContent } from './tray-content.ts';

const quiet = { awaitingApprovals: 0, awaitingQuestions: 0, serversDetail: [], stopped: false, runningCalls: 0 };
const server = (state: string, code?: string) => ({ serverId: 's', required: false, state, ...(code ? { code } : {}) });
const labels = (content: ReturnType<typeof trayContent>): unknown[] => content.items.map((item) => (item.kind === 'line' ? '-' : item.kind === 'text' ? [item.label] : item.act));

test('W01 what awaits the person comes first and leads there; then facts, then what can be done', () => {
  const content = trayContent({ awaitingApprovals: 3, awaitingQuestions: 0, serversDetail: [server('unavailable', 'exited'), server('ready')], stopped: false, runningCalls: 2 }, desktopWords.en);
  expect(labels(content)).toEqual(['approvals', 'servers', ['2 calls are running'], '-', 'open', 'stopAll', '-', 'quit']);
  expect(content).toMatchObject({ waiting: 3, tooltip: 'Gantry\n3 approvals await you\n1 server needs attention\n2 calls are running' });
});

test('QU15 questions of servers stand in the tray beside approvals, lead to their page, and count in its dot', () => {
  const content = trayContent({ ...quiet, awaitingApprovals: 1, awaitingQuestions: 2 }, desktopWords.en);
  expect(labels(content).slice(0, 2)).toEqual(['approvals', 'questions']);
  expect(content).toMatchObject({ waiting: 3, tooltip: 'Gantry\n1 approval awaits you\n2 questions of servers await you' });
  expect(labels(trayContent({ ...quiet, awaitingQuestions: 1 }, desktopWords.zh))[0]).toBe('questions');
});

test('W01 nothing is said to await where nothing does; stopped calls are told, and can go on', () => {
  expect(labels(trayContent(quiet, desktopWords.en))).toEqual([['Nothing awaits you'], '-', 'open', 'stopAll', '-', 'quit']);
  expect(labels(trayContent({ ...quiet, stopped: true }, desktopWords.en))).toEqual([['Nothing awaits you'], ['All calls are stopped'], '-', 'open', 'resume', '-', 'quit']);
  expect(labels(trayContent(null, desktopWords.en))).toEqual(['open', '-', 'quit']);
});

test('W01 a server that is away because the person wants it so is not in need', () => {
  const away = [server('unavailable', 'disabled'), server('unavailable', 'quarantined'), server('connecting'), server('installed')];
  expect(labels(trayContent({ ...quiet, serversDetail: away }, desktopWords.en))[0]).toEqual(['Nothing awaits you']);
  expect(labels(trayContent({ ...quiet, serversDetail: [...away, server('unavailable', 'consent_required')] }, desktopWords.en))[0]).toBe('servers');
});

test('W02 the language follows the setting, then the system, then English', () => {
  expect(wordsFor('system', 'zh-CN')).toBe(desktopWords.zh);
  expect(wordsFor('system', 'zhx')).toBe(desktopWords.en);
  expect(wordsFor('system', 'fr')).toBe(desktopWords.en);
  expect(wordsFor('en', 'zh')).toBe(desktopWords.en);
  expect(counted(desktopWords.en.approvals, 1)).toBe('1 approval awaits you');
  expect(counted(desktopWords.zh.approvals, 12)).toBe('12 项审批等待你');
});

test('W02 both languages have the same words, with the same places, and no exclamation marks', () => {
  const flat = (words: object, path = ''): [string, string][] => Object.entries(words).flatMap(([key, value]) => (typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : flat(value as object, `${path}${key}.`)));
  const places = (text: string): string => (text.match(/\{\w+\}/g) ?? []).sort().join();
  const zh = new Map(flat(desktopWords.zh));
  expect([...zh.keys()]).toEqual(flat(desktopWords.en).map(([key]) => key));
  for (const [key, text] of flat(desktopWords.en)) {
    expect([key, places(zh.get(key) ?? '')]).toEqual([key, places(text)]);
    expect([key, /[!！]/.test(text + (zh.get(key) ?? '')), zh.get(key) === '']).toEqual([key, false, false]);
  }
});

test('W03 macOS gets a template, others the picture for their ground; a dot where something waits', () => {
  expect(trayIcon('darwin', true, false)).toBe('trayTemplate.png');
  expect(trayIcon('darwin', false, true)).toBe('tray-waitingTemplate.png');
  expect(trayIcon('linux', true, true)).toBe('tray-dark-waiting.png');
  expect(trayIcon('win32', false, false)).toBe('tray-light.png');
});
