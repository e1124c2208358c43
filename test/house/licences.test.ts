import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ALLOWED, licencesPage, listLicences } from '../../scripts/licences.ts';

describe('packages that are shipped', () => {
  const licences = listLicences();

  it('have only allowed licenses', () => {
    assert.deepEqual(
      licences.filter(({ licence }) => !ALLOWED.includes(licence)),
      [],
    );
  });

  it('are listed in docs/reference/licences.md (npm run licences updates it)', () => {
    assert.equal(readFileSync(new URL('../../docs/reference/licences.md', import.meta.url), 'utf8'), licencesPage());
  });

  it('include the imports of the service and the pages, and no build or test packages', () => {
    const partOf = (name: string) => licences.find((one) => one.name === name)?.part;
    for (const name of ['fastify', 'pg', 'zod', 'nodemailer']) assert.equal(partOf(name), 'service', name);
    for (const name of ['react', '@base-ui/react', 'uplot', '@tanstack/router-core', '@simplewebauthn/browser'])
      assert.equal(partOf(name), 'pages', name);
    for (const name of ['typescript', 'esbuild', 'playwright-core', 'oxlint'])
      assert.equal(partOf(name), undefined, name);
  });
});
