import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { HOST_RESULT } from '../../shared/host-result.ts';
import { ROUTE_IDS } from '../../shared/rendering.ts';
import { inputSchemas, valueFor } from '../capabilities/routes/random-schemas.fixture.ts';
import { renderWithHostField } from '../capabilities/routes/rendering.ts';
import { SchemaChecker } from '../capabilities/schema-checker.ts';
import { openTestLine } from './open-test-line.ts';

const schemas = new SchemaChecker();
afterAll(() => schemas.close());

test('RT27 whatever a model makes of what it is shown, what is sent is what the original accepts; all else is refused with its place, and nothing is sent', async () => {
  const t = openTestLine();
  let [serial, sentCount, refusedCount] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(inputSchemas, fc.constantFrom(...ROUTE_IDS), fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }), async (inputSchema, routeId, numbers) => {
      const rendering = renderWithHostField({ name: 't', inputSchema }, routeId);
      let at = 0;
      const given = valueFor(rendering.schema, () => numbers[at++ % numbers.length]! + at) as Record<string, unknown>;
      const id = t.world.tool({ name: `t${(serial += 1)}`, tier: 'read_only', inputSchema });
      const before = t.world.calls.length;
      const { [HOST_RESULT]: _host, ...forTheTool } = given;
      const outcome = await t.line.tryCall({ capabilityId: id, principal: 'user', input: forTheTool, undo: rendering.undo });
      if (!outcome.ok) throw new Error(outcome.error.message);
      const sent = t.world.calls.slice(before).map((call) => call.frozenArguments);
      if (outcome.value.state === 'completed') {
        sentCount += 1;
        const judge = schemas.compile(inputSchema, `sent${serial}`, 'input');
        expect(judge.ok && judge.value(JSON.parse(sent[0]!)).ok).toBe(true);
      } else {
        refusedCount += 1;
        expect(outcome.value).toMatchObject({ code: 'invalid_input', class: 'not_sent', fault: { field: expect.any(String) } });
        expect(sent).toEqual([]);
      }
    }),
    { numRuns: 120 },
  );
  // the two ends of the test are both there
  expect(Math.min(sentCount, refusedCount)).toBeGreaterThan(3);
});
