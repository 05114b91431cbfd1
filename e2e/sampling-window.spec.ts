import type { Question } from '../shared/question.ts';
import { axeComplaints } from './support/axe.ts';
import { armed } from './support/everything.ts';
import { expect, test } from './support/window.ts';

type Sampling = Extract<Question, { kind: 'sampling' }>;
const asked: Sampling = {
  id: 'q1', serverId: 'notes', serverName: 'Notes', invocationId: 'i1', runId: 'r1', capabilityId: 'mcp:notes:tool:summarize', round: 1, state: 'waiting', askedAt: 0, expiresAt: 8e15, endedAt: null, by: null, message: '', kind: 'sampling',
  sampling: {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Summarize this note\u202e.' }] }], systemPrompt: 'You are terse.', maxTokens: 9_000, asked: null,
    tools: [{ name: 'lookup', description: 'Looks up', inputSchema: { type: 'object' } }], modelPreferences: { hints: [{ name: 'some-model' }], costPriority: 1 },
  },
};
const reply = { role: 'assistant' as const, content: [{ type: 'text', text: 'A short summary.' }, { type: 'tool_use', id: 't', name: 'lookup', input: { q: 'x' } }], model: 'model-two', stopReason: 'endTurn' };
const models = [{ id: 'one', title: 'Plain model', provider: 'a.example', tools: false }, { id: 'two', title: 'Model with tools', provider: 'b.example', tools: true }, { id: 'three', title: 'Another', provider: 'c.example', tools: true }];

test('QU10 a sampling is read whole, given to a model that the person chooses, and its reply is read and changed before the server has it; without a model it leads to the settings', async ({ open, page }) => {
  let question: Question = asked;
  let offered: readonly unknown[] = models;
  const answers: Readonly<Record<string, unknown>>[] = [];
  let tell: (next: Question) => void = () => {};
  // this window against the contract: the real host answers all but questions
  await page.routeWebSocket(/.*/, (socket) => {
    const host = socket.connectToServer();
    const names = new Map<number, string>();
    tell = (next) => {
      question = next;
      socket.send(JSON.stringify({ kind: 'event', name: 'question:changed', payload: { question } }));
    };
    socket.onMessage((text) => {
      const frame = JSON.parse(String(text)) as { readonly id: number; readonly name?: string; readonly input?: Readonly<Record<string, unknown>> };
      const say = (value: unknown): void => socket.send(JSON.stringify({ kind: 'response', id: frame.id, result: { ok: true, value } }));
      if (frame.name !== undefined) names.set(frame.id, frame.name);
      if (frame.name === 'questions:get') return say({ question });
      if (frame.name === 'questions:list') return say({ questions: [question] });
      if (frame.name === 'questions:models') return say({ models: offered });
      if (frame.name !== 'questions:answer') return host.send(text);
      answers.push(frame.input!);
      say({ question });
    });
    host.onMessage((text) => {
      const frame = JSON.parse(String(text)) as { readonly kind: string; readonly id: number; readonly result: { readonly value: Record<string, unknown> } };
      if (frame.kind === 'response' && names.get(frame.id) === 'window:first') frame.result.value['questions'] = [question];
      socket.send(JSON.stringify(frame));
    });
  });
  await open();
  const goTo = (hash: string) => page.evaluate((to) => { window.location.hash = to; }, hash);
  await goTo('#/questions/q1');
  const dialog = page.getByRole('dialog', { name: 'A server wants your model to write something' });
  await expect(dialog.getByRole('group', { name: 'Message 1' })).toContainText('U+202E');
  for (const shown of ['You are terse.', 'lookup', 'some-model', /at most 4,096 to write.*wants up to 9,000/]) await expect(dialog.getByText(shown, typeof shown === 'string' ? { exact: true } : {}).first()).toBeVisible();
  await expect(dialog.getByRole('radio', { name: /^Plain model/ })).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Ask this model' })).toBeDisabled();
  expect(await axeComplaints(page)).toEqual([]);
  await dialog.getByRole('radio', { name: /^Model with tools/ }).check();
  await (await armed(dialog, 'Ask this model')).click();
  await expect.poll(() => answers).toEqual([{ questionId: 'q1', action: 'accept', modelId: 'two' }]);

  tell({ ...asked, sampling: { ...asked.sampling, asked: { modelId: 'two', at: 1 } } });
  await expect(dialog.getByText('Your model writes:')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Ask this model' })).toHaveCount(0);
  tell({ ...asked, state: 'review', sampling: { ...asked.sampling, asked: { modelId: 'two', at: 1 }, reply } });
  const review = page.getByRole('dialog', { name: 'Read the reply before the server gets it' });
  await expect(review.getByRole('group', { name: 'The reply' })).toContainText('A short summary.');
  expect(await axeComplaints(page)).toEqual([]);
  await (await armed(review, 'Edit the text')).click();
  await review.getByRole('textbox', { name: 'Text 1 of the reply' }).fill('Mine.');
  await review.getByRole('button', { name: 'Send the changed reply' }).click();
  await expect(review).toBeHidden();
  expect(answers.at(-1)).toEqual({ questionId: 'q1', action: 'accept', editedReply: { content: [{ type: 'text', text: 'Mine.' }, reply.content[1]] } });

  offered = [];
  tell(asked);
  await goTo('#/questions');
  await goTo('#/questions/q1');
  await expect(dialog.getByText('No model is set up, so nobody can answer this. Set one up, or decline.')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'To the settings' })).toBeVisible();
  await (await armed(dialog, 'Decline')).click();
  await expect.poll(() => answers.at(-1)).toEqual({ questionId: 'q1', action: 'decline' });
});
