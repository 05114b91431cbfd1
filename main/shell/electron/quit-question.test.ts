import { expect, test } from 'vitest';
import { desktopWords } from './desktop-words.ts';
import { onWindowClose, quitQuestion } from './quit-question.ts';

const health = (runningCalls: number, awaitingApprovals: number, ready = 0) => ({ runningCalls, awaitingApprovals, servers: { total: ready, ready, unavailable: 0, starting: 0 } });

test('W10 nobody is asked where nothing would be cut off, whatever is connected', () => {
  expect(quitQuestion(health(0, 0, 5), desktopWords.en)).toBeNull();
});

test('W10 the question says what happens to each, and its first button keeps everything', () => {
  const question = quitQuestion(health(2, 1, 3), desktopWords.en);
  expect(question?.detail.split('\n')).toHaveLength(3);
  expect(question?.detail).toMatch(/2 calls are running.*outcome may stay unknown.*\nOne approval waits.*Nothing is sent; it waits on.*\n3 servers end/);
  expect(question?.buttons).toEqual(['Stay', 'Quit']);
  expect(quitQuestion(health(0, 2), desktopWords.zh)?.detail).toBe('2 项审批在等待你。不会发送任何内容；下次启动后它们继续等待，直至过期。');
});

test('W11 the close button quits, hides where that is set and a tray is there, and closes the window alone on macOS', () => {
  const close = (platform: NodeJS.Platform, closeToTray: boolean, trayShown: boolean, ending = false) => onWindowClose({ platform, closeToTray, trayShown, ending });
  expect([close('linux', false, true), close('linux', true, true), close('linux', true, false)]).toEqual(['quit', 'hide', 'quit']);
  expect([close('win32', true, true), close('darwin', false, true), close('darwin', true, true)]).toEqual(['hide', 'let', 'hide']);
  expect(close('linux', true, true, true)).toBe('let');
});
