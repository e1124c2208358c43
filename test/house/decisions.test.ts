import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'decisions');

it('docs/decisions/README.md lists every decision with its title', () => {
  const index = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const pages = globSync('0*.md', { cwd: FOLDER });
  assert.ok(pages.length > 30);
  for (const page of pages) {
    const title = readFileSync(join(FOLDER, page), 'utf8').split('\n')[0]?.slice(2);
    assert.ok(index.includes(`- [${title}](${page})`), `${page}: ${title}`);
  }
  assert.equal(index.split('\n- [').length - 1, pages.length, 'no other pages are listed');
});
