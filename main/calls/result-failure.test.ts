import { expect, test } from 'vitest';
import { readsAsError, textReadsAsError } from './result-failure.ts';

test.each([
  'Error: connection refused', 'error: no such file', '❌ Error: boom', '**Error**: bad input', '[ERROR] failed to open', 'Error 404: Not Found', 'Error (ENOENT): no such file', 'TypeError: x is undefined', 'NullPointerException: name', 'Permission denied', 'Unauthorized', 'Failed to fetch https://x.example',
  'Unable to connect to the database', "Couldn't open the file", 'Request failed with status code 500', 'HTTP 404', '503 Service Unavailable', 'Rate limit exceeded. Try again in 30 s.', 'An error occurred while searching.', 'Traceback (most recent call last):\n  File "x.py", line 1\nValueError: bad',
  '错误：文件不存在', '请求失败：超时', '操作失败', '无法连接到服务器', '权限不足', 'エラー: 接続できません', '오류: 찾을 수 없음', 'Fehler: Datei nicht gefunden', 'Erreur : introuvable', 'Échec: délai dépassé', 'Ошибка: нет доступа', 'Falha: sem rede', 'Hata: bulunamadı',
])('RS30 %j reads as a failure', (text) => {
  expect(textReadsAsError(text)).toBe(true);
  expect(readsAsError([{ type: 'text', text }], null)).toBe(true);
  // the frame that libraries put around a text that a function returns
  expect(readsAsError([{ type: 'text', text }], { value: { result: text } })).toBe(true);
});

test.each([
  'The error rate fell to 3 %', 'Error rate: 3 %', 'Error handling: see chapter 5', 'Errors: 0', 'Error: none', 'Failed: 0\nPassed: 12', '失败：0', '错误处理指南：第一章', 'Echo: Error: x', 'Errors are explained in chapter 5', 'Failed-over to replica 2', 'Failure analysis of bridges', 'Exception: a novel'.replace('Exception:', 'Exceptional'),
  'Forbidden City opens at 8:30', 'Terror: a film of 1978', 'No results found.', 'Could not find any matching records.', 'Cannot be undone', 'Panic room', 'Ошибки перевода', '失败是成功之母', 'エラー率は3%です',
  '2026-01-01 error: a\n2026-01-01 error: b\n2026-01-01 info: c', 'error: one\nerror: two\nerror: three', '200 OK', '404 requests were served', 'null', '[]', '',
])('RS30 %j does not', (text) => {
  expect(textReadsAsError(text)).toBe(false);
});

test.each<[string, boolean]>([
  ['ECONNREFUSED 127.0.0.1:5432', true], ['connect ECONNREFUSED 127.0.0.1:5432', true], ['ENOENT: no such file or directory', true], ['timed out after 30 s', true], ['The operation timed out.', true], ['❌ Something went wrong', true], ['操作未成功：余额不足', true],
  ['ENOENT means that there is no such file.', false], ['HTTP 404 means that there is no such page.', false], ['HTTP 404: no such page', true], ['Failed: 2 of 40 tests\nPassed: 38', false], ['Errors: 3/40', false], ['Error: 2 of the disks are gone', true],
])('RS30 what an operating system or a runtime says, and what is only counted or explained: %j is a failure: %s', (text, expected) => {
  expect(textReadsAsError(text)).toBe(expected);
  expect(readsAsError([{ type: 'text', text: JSON.stringify({ result: text }) }], null)).toBe(expected);
});

test.each<[Record<string, unknown>, boolean]>([
  [{ status: 'failed', name: 'nightly build' }, false], [{ title: 'The window crashes', status: 'failed', type: 'bug' }, false], [{ status: 'failed', name: 'pay', message: 'no money' }, true], [{ status: 'failed' }, true], [{ status: 'error', reason: 'no' }, true],
])('RS32 a record that is asked about and has failed is no failure of the call: %j: %s', (value, expected) => {
  expect(readsAsError([], { value })).toBe(expected);
});

test('RS30 a long text that begins so is a document', () => {
  expect(textReadsAsError(`Error: ${'a long explanation '.repeat(200)}`)).toBe(false);
});

test.each([
  [{ error: 'x' }, true], [{ success: false, message: 'no' }, true], [{ message: 'Not Found', documentation_url: 'https://docs.example', status: '404' }, true], [{ type: 'about:blank', title: 'Forbidden', status: 403, detail: 'no' }, true], [{ data: null, errors: [{ message: 'x' }] }, true], [{ code: 500, msg: '内部错误', data: null }, true], [{ result: { error: 'x' } }, true],
  [{ error: null, rows: [1] }, false], [{ errors: [], data: [1] }, false], [{ success: true, message: 'saved' }, false], [{ status: 'ok' }, false], [{ code: 200, message: 'ok', data: null }, false], [{ code: 0, msg: 'success' }, false], [{ error: 'none', code: 0 }, false], [{ error: '', ok: true }, false], [{ status: 'failed', test: 'a' }, false], [{ errors: 3, warnings: 4 }, false], [{ error: 'x', data: { rows: 3 } }, false], [{ title: 'Errors in texts', path: '/a' }, false], [{}, false], [[], false], [5, false],
])('RS30 %j is a failure: %s', (value, expected) => {
  expect(readsAsError([], { value })).toBe(expected);
  expect(readsAsError([{ type: 'text', text: JSON.stringify(value) }], null)).toBe(expected);
});
