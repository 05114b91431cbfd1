import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import { axeComplaints } from './support/axe.ts';
import { goByLetters, press, searchFor, tabTo } from './support/keyboard.ts';
import { shot } from './support/shots.ts';
import { expect, test } from './support/window.ts';

const recording = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));

test('J87 AC24 RV04 AP15 SE41 AP01 AP02 AP03 AP04 AP10 AP12 AP18 AP21 AP22 from a Chinese request to an approved call and a cited answer; stopped at once; found again by what was said', async ({ gantry, open, page }) => {
  const model = new ScriptedModel({ rules: ['openai-basic'], turns: [{ text: '我先把它记下来。', calls: [{ id: 'c1', toolByDescription: 'Writes a note', args: { text: '周五发布' } }, { id: 'c2', toolByDescription: 'Writes a note', args: { text: '周四冻结' } }] }, { text: '已记下：**周五发布** [r1]。详见 [说明](https://example.com/a) 与 [r9]。\n\n<script>alert(1)</script>' }] });
  await page.setViewportSize({ width: 1280, height: 800 });
  await open({ lang: 'zh' });
  await goByLetters(page, 't', '#/agent');
  // no model: the next step is taught
  await expect(page.getByRole('heading', { level: 1, name: '还没有设置模型' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: '引导，不用模型' }).first()).toBeVisible();
  await shot(page, 'agent-no-model');
  await gantry.ask('servers:add', { serverId: 'rec', name: '记录', spec: { kind: 'command', command: process.execPath, args: [recording] }, env: { RECORD_FILE: join(gantry.dataDir, 'r.jsonl') } });
  await gantry.ask('servers:connect', { serverId: 'rec' });
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:rec:tool:note', tier: 'high_write', admit: true });
  await gantry.ask('models:set', { provider: 'openai', baseUrl: await model.start(), model: 'scripted', label: '脚本模型', prices: { input: 2, output: 8, currency: 'CNY' } });
  await expect(page.getByText('智能体还不能使用任何工具')).toBeVisible();
  await shot(page, 'agent-no-tools');
  await gantry.ask('access:set', { principal: BUILT_IN_AGENT, capabilityId: 'mcp:rec:tool:note', allowed: true });
  await expect(page.getByText('它可以使用 1 个工具')).toBeVisible();

  await tabTo(page, page.getByRole('textbox', { name: '写下你想做的事' }));
  await page.keyboard.type('请记下：周五发布');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/agent\/.+/);
  const talk = page.getByRole('log', { name: '对话' });
  await expect(talk.getByText('我先把它记下来。')).toBeVisible();
  // both calls of the turn wait at once, each where it stands, whole and bound to its hash
  const approvals = talk.getByRole('region', { name: /note/ });
  const approval = approvals.filter({ hasText: '周五发布' });
  const other = approvals.filter({ hasText: '周四冻结' });
  await expect(approvals).toHaveCount(2);
  // they are announced once, by themselves
  await expect(page.getByRole('status').filter({ hasText: '请求审批' })).toHaveCount(0);
  await shot(page, 'agent-approval');
  expect(await axeComplaints(page)).toEqual([]);
  // the way to each; the key denies the one with the focus, and the next that waits has the focus then
  await expect(talk.getByText('这一轮有 2 个调用等待你，逐个决定')).toBeVisible();
  await expect(other.getByRole('button', { name: '拒绝' })).toBeEnabled();
  await press(page, talk.getByRole('group', { name: '等待你审批的调用' }).getByRole('button').nth(1));
  await expect(other).toBeFocused();
  await shot(page, 'agent-two-approvals');
  await page.keyboard.press('Escape');
  await expect(approvals).toHaveCount(1);
  await expect(approval).toBeFocused();
  await press(page, approval.getByRole('button', { name: '批准一次' }));
  await expect(talk.getByText('已回答。')).toBeVisible();
  await expect(approval).toBeHidden();
  // what the model wrote acts in nothing
  await expect(talk.getByText('<script>alert(1)</script>')).toBeVisible();
  await expect(talk.getByText('(example.com)')).toBeVisible();
  await expect(talk.getByRole('link', { name: '说明' })).toHaveCount(0);
  // who hears the page is told how it ended, and of its citations
  await expect(page.getByRole('status').filter({ hasText: '已回答。' })).toContainText('引用 2 个结果。 其中 1 个不成立。');
  // a link is opened only where its whole address stands
  await press(page, talk.getByRole('button', { name: /说明/ }));
  await expect(talk.getByText('https://example.com/a', { exact: true })).toBeVisible();
  await expect(talk.getByRole('link', { name: '在浏览器中打开' })).toHaveAttribute('href', 'https://example.com/a');
  expect(await axeComplaints(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(talk.getByRole('link', { name: '在浏览器中打开' })).toHaveCount(0);
  // from question to question
  await page.keyboard.press('k');
  await expect(talk.getByRole('article').last()).toBeFocused();
  // the citation leads to its result, and one that is none says so
  const cited = talk.getByRole('link', { name: /^r1：/ });
  await expect(cited).toBeVisible();
  await expect(talk.getByTitle('r9：没有这个结果')).toBeVisible();
  await expect(talk.getByRole('region', { name: '引用的结果' })).toContainText('note');
  await press(page, page.getByRole('button', { name: '它能看到什么' }));
  await expect(page.getByRole('region', { name: '智能体能看到什么' })).toContainText('第 2 轮提问时的情况');
  // the rank, the parts of the score and the reason of each candidate, though all fit
  await press(page, page.getByRole('button', { name: /^本轮暴露：1/ }));
  const ranking = page.getByRole('region', { name: '本轮暴露' });
  await expect(ranking).toContainText('全部放得下');
  await expect(ranking.getByRole('listitem')).toContainText(/第 1 位，得分 [\d.,-]+（.*）/);
  await shot(page, 'agent-answer');
  expect(await axeComplaints(page)).toEqual([]);

  // the record: the time's tree, and what each turn was asked with, against the one before
  const conversation = await page.evaluate(() => location.hash);
  await talk.getByRole('link', { name: '其记录' }).click();
  const spans = page.getByRole('region', { name: '时间花在哪里' });
  await expect(spans).toContainText('第 2 轮');
  await expect(spans).toContainText('note');
  const turns = page.getByRole('region', { name: '向模型提问时带了什么' });
  await turns.getByRole('button', { name: /^第 2 轮/ }).click();
  await expect(turns.getByRole('region', { name: '消息' })).toContainText('新增 3');
  // how its tools came to be shown, and what of the conversation went along
  await expect(turns).toContainText('整个对话都已带上');
  await press(page, turns.getByRole('button', { name: /^这些工具为何被展示/ }));
  await expect(turns.getByRole('region', { name: '本轮暴露' })).toContainText(/第 1 位，得分/);
  await turns.scrollIntoViewIfNeeded();
  await shot(page, 'run-turns');
  expect(await axeComplaints(page)).toEqual([]);

  // the second question is stopped while the model is at work
  let release = (): void => {};
  model.meanwhile = () => new Promise((resolve) => { release = resolve; });
  await page.evaluate((to) => { location.hash = to; }, conversation);
  await page.getByRole('textbox', { name: '写下你想做的事' }).fill('再想想');
  await page.keyboard.press('Enter');
  // asked, so that there is something on record of what went out
  await model.request(3);
  await press(page, talk.getByRole('button', { name: '停止' }));
  await expect(talk.getByText('已由你停止。')).toBeVisible();
  release();
  // and gone on with, once
  model.meanwhile = () => Promise.resolve();
  const goOn = talk.getByRole('button', { name: '继续', exact: true });
  await goOn.scrollIntoViewIfNeeded();
  await shot(page, 'agent-go-on');
  await press(page, goOn);
  await expect(talk.getByRole('article').last()).toContainText('请继续。');
  await expect(talk.getByRole('article').last()).toContainText('已记下');
  await expect(goOn).toHaveCount(0);
  // its record: what went out is shown as such, and nothing of it is denied
  const stopped = async () => (await gantry.ask('runs:list', {})).runs.find(({ code }) => code === 'cancelled');
  await expect.poll(stopped).toBeDefined();
  await page.evaluate((to) => { location.hash = to; }, `#/runs/${(await stopped())!.id}`);
  await expect(page.getByText('在结束之前被停止。已发出和已收到的内容都有记录。')).toBeVisible();
  const sent = page.getByRole('region', { name: '向模型提问时带了什么' });
  await sent.getByRole('button', { name: /第 1 轮/ }).click();
  await expect(sent).toContainText('再想想');
  await expect(page.getByText('模型回复完之前已停止')).toBeVisible();
  await expect(page.getByText('模型没有回复')).toHaveCount(0);
  await shot(page, 'run-stopped');
  await page.evaluate((to) => { location.hash = to; }, conversation);

  // found by what was said, renamed, deleted and brought back
  await page.getByRole('searchbox', { name: '搜索说过的内容' }).fill('周五');
  await expect(page.getByRole('region', { name: '对话列表' }).locator('mark').filter({ hasText: '周五' })).not.toHaveCount(0);
  await page.getByRole('button', { name: '重命名' }).click();
  await page.getByRole('textbox', { name: '对话名称' }).fill('发布日期');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '发布日期' })).toBeVisible();
  await searchFor(page, '发布日期');
  await expect(page.getByRole('dialog').getByRole('option', { name: /发布日期/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '删除' }).click();
  await page.getByRole('button', { name: '撤销' }).click();
  await page.getByRole('searchbox', { name: '搜索说过的内容' }).fill('');
  await expect(page.getByRole('region', { name: '对话列表' })).toContainText('发布日期');
  await expect.poll(async () => (await gantry.ask('conversations:list', {})).total).toBe(1);
  await model.close();
});

test('J88 AP08 AP09 AP25 a model is added, tried step by step and used, a profile narrows; in a narrow dark window too', async ({ gantry, open, page }) => {
  const model = new ScriptedModel({ rules: [], turns: [{ text: 'ok' }] });
  const address = await model.start();
  await page.setViewportSize({ width: 900, height: 600 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await open();
  await page.evaluate(() => { location.hash = '#/settings/models'; });
  const models = page.getByRole('region', { name: 'Models', exact: true });
  await models.getByRole('button', { name: 'Add a model' }).click();
  await expect(models.getByLabel('Where it is')).toBeFocused();
  await models.getByRole('button', { name: 'Cancel' }).click();
  await expect(models.getByRole('button', { name: 'Add a model' })).toBeFocused();
  await page.keyboard.press('Enter');
  await models.getByLabel('Where it is').selectOption('own');
  await models.getByLabel('Base address').fill('http://127.0.0.1:9/v1');
  await models.getByRole('button', { name: 'Test it' }).click();
  await expect(models.getByText('Write the name of the model')).toBeVisible();
  await models.getByLabel('Name of the model').fill('scripted');
  await models.getByRole('button', { name: 'Test it' }).click();
  await expect(models.getByText('It does not work yet.')).toBeVisible();
  await expect(models.getByRole('listitem').filter({ hasText: 'The address can be reached' })).toContainText('no');
  await models.getByText('What the test found').or(models.getByText('It does not work yet.')).scrollIntoViewIfNeeded();
  await shot(page, 'models-test-failed');
  await models.getByLabel('Base address').fill(address);
  await models.getByLabel('What you call it').fill('My model');
  await models.getByRole('button', { name: 'Save' }).click();
  await expect(models.getByRole('listitem').filter({ hasText: 'My model' })).toContainText('in use');
  expect(await axeComplaints(page)).toEqual([]);
  await shot(page, 'models');

  for (let at = 1; at < 10; at += 1) await gantry.ask('servers:add', { serverId: `many-${at}`, name: `Server number ${at}`, spec: { kind: 'command', command: process.execPath, args: [recording] } });
  await gantry.ask('servers:add', { serverId: 'rec', name: 'Recorder', spec: { kind: 'command', command: process.execPath, args: [recording] }, env: { RECORD_FILE: join(gantry.dataDir, 'r.jsonl') } });
  await gantry.ask('servers:connect', { serverId: 'rec' });
  const profiles = page.getByRole('region', { name: 'Agent profiles' });
  await profiles.getByRole('button', { name: 'Add a profile' }).click();
  await expect(profiles.getByLabel('Name of the profile')).toBeFocused();
  await profiles.getByLabel('Name of the profile').fill('Reader');
  await profiles.getByLabel('Instructions').fill('Answer in one sentence.');
  await profiles.getByLabel('Highest risk').selectOption('read_only');
  await profiles.getByLabel('Most tokens a run').fill('20000');
  // of many servers some are found by words; of their tools one
  await profiles.getByRole('checkbox', { name: 'Only these servers' }).check();
  await expect(profiles.getByText('None chosen: it may use no server.')).toBeVisible();
  await profiles.getByRole('searchbox', { name: 'Find a server' }).fill('number 2');
  const servers = profiles.getByRole('group', { name: 'Only these servers' });
  await expect(servers.getByRole('checkbox')).toHaveCount(1);
  await servers.getByRole('checkbox', { name: 'Server number 2' }).press('Space');
  await profiles.getByRole('searchbox', { name: 'Find a server' }).fill('');
  await expect(profiles.getByText('1 of 10 chosen')).toBeVisible();
  await profiles.getByRole('checkbox', { name: 'Only these tools' }).check();
  await profiles.getByRole('searchbox', { name: 'Find a tool' }).fill('note');
  await profiles.getByRole('button', { name: 'Add mcp:rec:tool:note' }).click();
  await expect(profiles.getByRole('list', { name: 'Tools it may use' })).toContainText('mcp:rec:tool:note');
  expect(await axeComplaints(page)).toEqual([]);
  await profiles.scrollIntoViewIfNeeded();
  await shot(page, 'profile-form');
  await profiles.getByRole('button', { name: 'Save' }).click();
  await expect(profiles.getByRole('listitem').filter({ hasText: 'Reader' })).toContainText('narrowed');
  expect((await gantry.ask('profiles:list', {})).profiles.find(({ name }) => name === 'Reader')).toMatchObject({ instructions: 'Answer in one sentence.', scope: { topTier: 'read_only', servers: ['many-2'], capabilities: ['mcp:rec:tool:note'] }, limits: { tokens: 20_000 } });

  await page.evaluate(() => { location.hash = '#/agent'; });
  await page.getByRole('combobox', { name: 'Profile' }).selectOption({ label: 'Reader' });
  await page.getByRole('textbox', { name: 'Write what you want' }).fill('Hello');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('log').getByText('Answered.')).toBeVisible();
  expect(await axeComplaints(page)).toEqual([]);
  await shot(page, 'agent-narrow');
  // in the history the run has the profile's name, and a day reads in the window's language
  await page.evaluate(() => { location.hash = '#/runs'; });
  await expect(page.getByRole('main').getByText('Reader')).toBeVisible();
  await page.getByLabel('From this day on').fill('2026-02-01');
  await page.getByRole('searchbox').first().focus();
  await expect(page.getByRole('main').getByRole('search')).toContainText('Feb 1, 2026');
  await shot(page, 'runs-days');
  await searchFor(page, 'My model');
  await expect(page.getByRole('dialog').getByRole('option', { name: /My model/ })).toBeVisible();
  await model.close();
});
