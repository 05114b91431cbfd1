import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import { armed, connectEverything, reviewAsRead, toolPage } from './support/everything.ts';
import { expect, test } from './support/window.ts';

test('J73 SM02 SM03 SM07 server-everything asks for a model’s answer in the middle of a try-out: read, a model that fails, asked again, its reply read and changed, and the server has what was sent', async ({ gantry, open, page }) => {
  const model = new ScriptedModel({ rules: ['openai-basic'], turns: [{ text: 'A lighthouse keeper counts ships.', usage: { input: 40, output: 8 } }] });
  try {
    await gantry.ask('models:set', { provider: 'openai', baseUrl: await model.start(), model: 'storyteller', label: 'At home' });
    await open();
    await connectEverything(gantry);
    await reviewAsRead(gantry, 'trigger-sampling-request');
    await toolPage(page, 'trigger-sampling-request');
    const main = page.getByRole('main');
    await main.getByRole('textbox', { name: /^prompt/ }).fill('Tell of a lighthouse.');
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    // the server itself gives up after a minute: what takes long here, axe, looks at these dialogs in sampling-window.spec.ts
    const dialog = page.getByRole('dialog', { name: 'A server wants your model to write something' });
    await expect(dialog.getByRole('group', { name: 'Message 1' })).toContainText('Tell of a lighthouse.');
    await expect(dialog.getByRole('radio', { name: /^At home/ })).toBeChecked();
    expect(model.accepted).toEqual([]);
    model.failsAt = () => ({ status: 402, message: 'nothing left' });
    await (await armed(dialog, 'Ask this model')).click();
    await expect(dialog.getByText(/used up|quota/i).first()).toBeVisible();
    model.failsAt = () => null;
    await (await armed(dialog, 'Ask this model')).click();
    const review = page.getByRole('dialog', { name: 'Read the reply before the server gets it' });
    await expect(review.getByRole('group', { name: 'The reply' })).toContainText('A lighthouse keeper counts ships.');
    await (await armed(review, 'Edit the text')).click();
    await review.getByRole('textbox', { name: 'Text 1 of the reply' }).fill('A keeper counts stars.');
    await review.getByRole('button', { name: 'Send the changed reply' }).click();
    await expect(review).toBeHidden();
    await expect(main.getByText(/A keeper counts stars\./)).toBeVisible();
    const [request] = model.accepted;
    expect(request?.text).toContain('Tell of a lighthouse.');
    const [past] = (await gantry.ask('questions:list', { state: 'answered' })).questions;
    const { events } = await gantry.ask('runs:get', { runId: past!.runId! });
    expect(events.filter(({ type }) => type === 'question.model_request').at(-1)!.data['request']).toBe(request!.text);
  } finally {
    await model.close();
  }
});
