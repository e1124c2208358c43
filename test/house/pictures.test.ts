import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { missingPictures, PICTURES, routesOf } from '../../scripts/pictures.ts';

const ROOT = join(import.meta.dirname, '..', '..');

it('`npm run screenshots` takes a picture of every console and portal page', () => {
  for (const app of ['console', 'portal'] as const) {
    const pages =
      readFileSync(join(ROOT, 'web', app, 'router.tsx'), 'utf8').match(/import\('\.\/[\w/-]+-page\.tsx'/g) ?? [];
    assert.equal(routesOf(app).length, pages.length, `every page of the ${app} is found`);
  }
  assert.deepEqual(missingPictures(), []);
});

it('the documentation shows exactly the pictures that are taken for it', () => {
  const taken = Object.values(PICTURES)
    .flatMap((routes) => Object.values(routes).flat())
    .flatMap(({ inDocs }) => inDocs ?? []);
  const shown = ['README.md', 'docs/reference/console.md'].flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/images\/([a-z-]+)\.webp/g)].map(([, name]) => name),
  );
  assert.deepEqual(new Set(shown), new Set(taken));
});
