import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ALLOWED, licensesPage, listLicenses } from '../../scripts/licenses.ts';

describe('packages that are shipped', () => {
  const licenses = listLicenses();

  it('have only allowed licenses', () => {
    assert.deepEqual(
      licenses.filter(({ license }) => !ALLOWED.includes(license)),
      [],
    );
  });

  it('are listed in docs/reference/licenses.md, which npm run licenses updates', () => {
    assert.equal(readFileSync(new URL('../../docs/reference/licenses.md', import.meta.url), 'utf8'), licensesPage());
  });

  it('include the imports of the service and the pages, and no build or test packages', () => {
    const partOf = (name: string) => licenses.find((one) => one.name === name)?.part;
    for (const name of ['fastify', 'pg', 'zod', 'nodemailer']) assert.equal(partOf(name), 'service', name);
    for (const name of ['react', '@base-ui/react', 'uplot', '@tanstack/router-core', '@simplewebauthn/browser'])
      assert.equal(partOf(name), 'pages', name);
    for (const name of ['typescript', 'esbuild', 'playwright-core', 'oxlint'])
      assert.equal(partOf(name), undefined, name);
  });
});
