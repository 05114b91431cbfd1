import { expect, test } from 'vitest';
import { categoryOf, redactError, redactErrorValue } from './redact-error.ts';

test.each([
  ["ENOENT: no such file, open '/home/alice/data/report.txt'", "ENOENT: no such file, open '[path]/report.txt'"],
  ['see /srv/app/cache/data.db for more', 'see [path]/data.db for more'],
  ['cannot open /data/in/table.csv', 'cannot open [path]/table.csv'],
  ['C:\\Users\\bob\\y.txt is locked', '[path]/y.txt is locked'],
  ['D:/data/x.json missing', '[path]/x.json missing'],
  ['on \\\\share\\team\\plan.doc', 'on [path]/plan.doc'],
  ['from file:///opt/x/main.mjs', 'from [path]/main.mjs'],
  ['in ~/secrets/key.pem', 'in [path]/key.pem'],
  ['GET https://api.example/v1/users/5.json gave 404', 'GET https://api.example/v1/users/5.json gave 404'],
  ['no route /api/v1/users', 'no route /api/v1/users'],
  ['ratio 3/4, and/or 12/31/2026', 'ratio 3/4, and/or 12/31/2026'],
  ['use application/json or text/html', 'use application/json or text/html'],
])('RS10 %j is told as %j', (given, expected) => {
  expect(redactError(given)).toBe(expected);
});

test.each([
  ['V8', 'Error: a\n    at Object.read (/x/y.js:10:5)\n    at async main (node:internal/x:1:2)'], ['Python', 'Traceback (most recent call last):\n  File "/srv/x.py", line 3, in f\n    do()\nError: a'], ['Java', 'Error: a\n\tat com.x.Y.z(Y.java:10)'],
  ['.NET', 'Error: a\n   at Ns.Type.Method(String s) in C:\\src\\x.cs:line 5'], ['PHP', 'Error: a\n#0 /var/www/x.php(12): foo()'], ['Ruby', "Error: a\n\tfrom /x/y.rb:3:in `f'"], ['Go', 'Error: a\ngoroutine 1 [running]:'],
])('RS10 the stack of %s is left out', (_language, given) => {
  const said = redactError(given);
  expect(said).toContain('Error: a');
  expect(said).toMatch(/lines of a stack trace left out/);
  expect(said).not.toMatch(/x\.py|y\.js|Y\.java|x\.cs|x\.php|y\.rb|goroutine|do\(\)/);
});

test('RS10 a structured error is told likewise, its stack not at all', () => {
  expect(redactErrorValue({ why: 'in /var/lib/x.db', stack: 'at a', list: ['/etc/app/x.conf'] })).toEqual({ why: 'in [path]/x.db', stack: '[left out]', list: ['[path]/x.conf'] });
});

test.each([['Too many requests', 'rate_limit'], ['403 Forbidden', 'permission'], ['no such table', 'not_found'], ['deadline exceeded', 'timeout'], ['ECONNREFUSED', 'network'], ['must be a number', 'invalid_argument'], ['请求过于频繁', 'rate_limit'], ['权限不足', 'permission'], ['文件不存在', 'not_found'], ['请求超时', 'timeout'], ['网络错误', 'network'], ['参数错误', 'invalid_argument'], ['boom', 'other']])('RS11 %j is of the category %s', (words, category) => {
  expect(categoryOf(words)).toBe(category);
});

test('RS10 hostile runs of slashes take no time to speak of', () => {
  for (const run of ['/=', '/a', '\\\\a', '~/', 'C:\\', 'file:///a/', '/a.b']) expect(redactError(run.repeat(60_000)).length).toBeLessThan(5_000);
});
