import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { DEFAULTS } from '../../packages/browser/src/options.ts';

const DOCS = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'reference', 'browser.md'), 'utf8');

it('docs/reference/browser.md lists every option of the snippet, with the default of each text or number except `headerPrefix`', () => {
  const rows = [...DOCS.matchAll(/^\| `data-([a-z-]+)` \| `(\w+)` \| (.+?) \|/gm)];
  const documented = Object.fromEntries(rows.map(([, , field = '', unlessGiven = '']) => [field, unlessGiven]));
  for (const [, attribute = '', field] of rows) {
    const asField = attribute.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    assert.equal(asField, field, 'the second column is the name of the attribute in camel case');
  }
  assert.deepEqual(Object.keys(documented).sort(), [...Object.keys(DEFAULTS), 'key', 'url', 'domain'].sort());
  for (const [field, value] of Object.entries(DEFAULTS)) {
    if (typeof value !== 'boolean' && field !== 'headerPrefix') assert.equal(documented[field], `\`${value}\``, field);
  }
});
