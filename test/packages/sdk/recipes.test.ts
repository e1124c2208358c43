import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RECIPES } from '#examples/recipes/recipes.ts';
import { startService, type TestService } from '../../support/service.ts';
import { Whence } from '#sdk/whence.ts';

describe('the recipes', () => {
  let service: TestService;
  let whence: Whence;
  before(async () => {
    service = await startService();
    whence = new Whence({ baseUrl: service.url, apiKey: service.secretKey });
  });
  after(() => service.stop());

  it('have unique slugs that are valid in URLs', () => {
    const slugs = RECIPES.map(({ slug }) => slug);
    assert.deepEqual([...new Set(slugs)], slugs);
    for (const slug of slugs) assert.match(slug, /^[a-z]+(-[a-z]+)*$/);
  });

  for (const { slug, customEvents, programs, group } of RECIPES) {
    it(`the recipe ${slug} is accepted unchanged, and each of its programs pays in an example`, async () => {
      for (const event of customEvents) await whence.customEvents.create(event);
      const made = [];
      for (const program of programs) {
        const { explanation } = await whence.programs.example({ ...program, sale: { items: STUDIO_MUG } });
        assert.ok((explanation.candidates[0]?.share ?? 0) > 0, explanation.text);
        made.push(await whence.programs.create(program));
      }
      assert.deepEqual(
        made.map(({ name, status }) => [name, status]),
        programs.map(({ name }) => [name, 'active']),
      );
      if (group === null) return;
      const { programIds } = await whence.programGroups.create({ ...group, programIds: made.map(({ id }) => id) });
      assert.equal(programIds.length, programs.length);
    });
  }
});

const STUDIO_MUG = [{ name: 'Studio mug', quantity: 3, amount: 40 }];
