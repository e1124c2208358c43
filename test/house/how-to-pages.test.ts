import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';

/*
 * Checks the pattern of how-to pages: the task, the result, numbered steps, and known errors. docs/README.md must list
 * all how-to pages.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = globSync('docs/how-to/*.md', { cwd: ROOT }).sort();
const ERRORS = '## If something goes wrong';
/** Pages about tools, which don't follow the pattern. */
const TOOLS = new Set(['simulate-traffic.md', 'try-the-demo.md']);

/**
 * All source files that can contain error texts, as one text. String literals that continue on the next line are
 * joined.
 */
const SOURCE = globSync(['src/**/*.{ts,tsx}', 'packages/woocommerce/whence.php', 'packages/medusa/src/**/*.js'], {
  cwd: ROOT,
})
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')
  .replaceAll(/['`] [+.]\s*['`]/g, '');

describe('how-to pages', () => {
  it('are all listed in docs/README.md', () => {
    const index = readFileSync(join(ROOT, 'docs', 'README.md'), 'utf8');
    assert.ok(PAGES.length >= 10);
    for (const page of PAGES) assert.ok(index.includes(`(how-to/${basename(page)})`), page);
  });

  for (const page of PAGES.filter((name) => !TOOLS.has(basename(name)))) {
    it(`${page} gives the result first, then numbered steps, then known errors`, () => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      assert.match(text, /^# [A-Z].+\n\n[A-Z].+\.\n/);
      assert.ok([...text.matchAll(/^\d+\. /gm)].length >= 4);
      assert.ok(text.lastIndexOf('\n## ') === text.indexOf(ERRORS) - 1, 'known errors come last');
    });

    it(`${page} quotes errors as the service writes them`, () => {
      const errors = readFileSync(join(ROOT, page), 'utf8').split(ERRORS)[1] ?? '';
      const quotes = [...errors.matchAll(/“([^”]+)”/g)].flatMap(([, quote = '']) => quote.split(' … '));
      const codes = [...errors.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, code = '']) => code);
      assert.ok(quotes.length + codes.length > 0);
      for (const quote of quotes) assert.ok(SOURCE.includes(quote), quote);
      for (const code of codes) assert.match(SOURCE, new RegExp(`['"]${code}['"]|\\b${code}:`), code);
    });
  }
});
