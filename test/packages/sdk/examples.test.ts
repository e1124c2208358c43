import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operations } from '#app/operations.ts';
import { startService, type TestService } from '../../support/service.ts';
import { attribution } from './examples/attribution.ts';
import { backtests } from './examples/backtests.ts';
import { configuration } from './examples/configuration.ts';
import { connecting } from './examples/connecting.ts';
import { guide } from './examples/guide.ts';
import { materials } from './examples/materials.ts';
import { money } from './examples/money.ts';
import { people } from './examples/people.ts';
import { portal } from './examples/portal.ts';
import { privacy } from './examples/privacy.ts';
import { reports } from './examples/reports.ts';
import { watching } from './examples/watching.ts';
import type { Example } from './example.ts';
import { makeWorld, needsOf } from './world.ts';

const examples = {
  ...reports,
  ...configuration,
  ...backtests,
  ...attribution,
  ...money,
  ...watching,
  ...connecting,
  ...people,
  ...portal,
  ...materials,
  ...privacy,
};

describe('the SDK examples', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('cover each API operation exactly once', () => {
    assert.deepEqual(Object.keys(examples).toSorted(), Object.keys(operations).toSorted());
  });

  for (const [name, example] of Object.entries({ ...examples, ...guide })) {
    it(`${name} runs and prints the output in its comments`, async (test) => {
      const world = await makeWorld(service, needsOf(example));
      const printed: string[] = [];
      test.mock.method(console, 'log', (...values: unknown[]) => printed.push(values.join(' ')));
      await example(world);
      test.mock.restoreAll();
      for (const promised of promisedBy(example)) {
        assert.ok(printed.includes(promised), `prints “${promised}”: ${JSON.stringify(printed)}`);
      }
    });
  }
});

/** Returns the outputs that an example states in comments, such as `approved` in `console.log(status); // approved`. */
function promisedBy(example: Example): string[] {
  return [...example.toString().matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text = '']) => text);
}
