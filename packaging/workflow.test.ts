import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { nodePins } from './node-binary.ts';

/** The keys of GitHub's workflow syntax that are used here; a misspelt one is refused. */
const Values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const Step = z.strictObject({ name: z.string().optional(), uses: z.string().regex(/^[\w-]+\/[\w-]+@(v\d+|[0-9a-f]{40})$/).optional(), run: z.string().optional(), if: z.string().optional(), with: Values.optional(), env: Values.optional() }).refine((step) => (step.uses === undefined) !== (step.run === undefined));
const Job = z.strictObject({
  needs: z.string().optional(),
  strategy: z.strictObject({ 'fail-fast': z.boolean(), matrix: z.record(z.string(), z.array(z.unknown())) }),
  'runs-on': z.string(),
  'timeout-minutes': z.number(),
  steps: z.array(Step).min(1),
});
const Workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({ push: z.strictObject({ branches: z.array(z.string()), tags: z.array(z.string()) }), pull_request: z.null(), workflow_dispatch: z.null() }),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }),
  env: Values,
  jobs: z.record(z.string(), Job),
});

const text = readFileSync(fileURLToPath(new URL('../.github/workflows/build.yml', import.meta.url)), 'utf8');
const workflow = Workflow.parse(load(text));
const runs = Object.values(workflow.jobs).flatMap((job) => job.steps.flatMap((step) => step.run ?? []));

test('B12 the workflow builds for three systems and runs the Electron journeys on each', () => {
  const systems = (workflow.jobs['check']?.strategy.matrix['os'] as string[]).map((os) => os.split('-')[0]);
  expect(systems).toEqual(['ubuntu', 'macos', 'windows']);
  expect(runs.filter((run) => run.includes('--project=electron'))).toHaveLength(2);
  const targets = (workflow.jobs['package']?.strategy.matrix['include'] as { target: string }[]).map(({ target }) => target.split(' ')[0]);
  expect(new Set(targets)).toEqual(new Set(['--linux', '--mac', '--win']));
});

test('B12 every npm script that it runs exists, on the pinned Node', () => {
  for (const [, name] of runs.join('\n').matchAll(/npm run ([\w:-]+)/g)) expect([name, Object.hasOwn(manifest.scripts, name ?? '')]).toEqual([name, true]);
  expect(workflow.env['NODE_VERSION']).toBe(nodePins().version);
});

test('B12 what a stranger may write is in no command, and secrets reach signing alone', () => {
  for (const run of runs) expect([run, /\$\{\{\s*github\.(event|head_ref)/.test(run)]).toEqual([run, false]);
  const check = JSON.stringify(workflow.jobs['check']);
  expect(check).not.toContain('secrets.');
  for (const step of workflow.jobs['package']?.steps ?? []) if (JSON.stringify(step).includes('secrets.')) expect(step.name).toMatch(/sign/i);
});
