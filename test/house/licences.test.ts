import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ALLOWED, licencesPage, listLicences } from '../../scripts/licences.ts';

describe('what is shipped', () => {
  const licences = listLicences();

  it('is under licences that are allowed, each package', () => {
    assert.deepEqual(
      licences.filter(({ licence }) => !ALLOWED.includes(licence)),
      [],
    );
  });

  it('is listed in docs/licences.md: npm run licences writes it anew', () => {
    assert.equal(readFileSync(new URL('../../docs/licences.md', import.meta.url), 'utf8'), licencesPage());
  });

  it('has what the service imports and what is built into pages, and nothing that only builds or tests', () => {
    const partOf = (name: string) => licences.find((one) => one.name === name)?.part;
    for (const name of ['fastify', 'pg', 'zod', 'nodemailer']) assert.equal(partOf(name), 'service', name);
    for (const name of ['react', '@base-ui/react', 'uplot', '@tanstack/router-core', '@simplewebauthn/browser'])
      assert.equal(partOf(name), 'pages', name);
    for (const name of ['typescript', 'esbuild', 'playwright-core', 'oxlint'])
      assert.equal(partOf(name), undefined, name);
  });
});
