import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { PICTURES, routesOf, unpictured } from '../../scripts/pictures.ts';

const ROOT = join(import.meta.dirname, '..', '..');

it('`npm run screenshots` takes a picture of every page of console and portal', () => {
  for (const app of ['console', 'portal'] as const) {
    const pages = readFileSync(join(ROOT, app, 'router.tsx'), 'utf8').match(/import\('\.\/pages\//g) ?? [];
    assert.equal(routesOf(app).length, pages.length, `every page of the ${app} is found`);
  }
  assert.deepEqual(unpictured(), []);
});

it('the README shows pictures that are taken', () => {
  const taken = Object.values(PICTURES)
    .flatMap((routes) => Object.values(routes).flat())
    .flatMap(({ inReadme }) => inReadme ?? []);
  const shown = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/docs\/images\/([a-z-]+)\.webp/g)];
  assert.deepEqual(shown.map(([, name]) => name).sort(), taken.sort());
});
