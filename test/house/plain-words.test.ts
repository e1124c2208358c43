import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

/*
 * Finds words that read as if translated. New text must not use them. LEFT has the number of lines that still use them,
 * by path pattern. If you rewrite such a line, lower the number of its path pattern.
 */

const ROOT = join(import.meta.dirname, '..', '..');

const MARKS: readonly RegExp[] = [
  /\bwhoever\b/i,
  /\bwhatever\b/i,
  /\banew\b/i,
  /\bonce more\b/i,
  /\bby turns\b/i,
  /\b(is|are|was|were|be) told\b/i,
  /\bg(i|a)ve(s|n)? up\b/i,
  /\bwhat is there\b/i,
  /\b(not|no|nothing|nobody|never|n[’']t)\b[^.;:]{0,40}\bany ?more\b/i,
  /\blaid to rest\b/i,
  /\bof nobody\b/i,
  /\bput out\b/i,
];

/** Path patterns, each with the number of lines in its files that match a pattern in MARKS. */
const LEFT: Readonly<Record<string, number>> = {
  '*.md': 0,
  'docs/{*,how-to/*,reference/*,explanation/*}.md': 0,
  'docs/decisions/*.md': 0,
  'examples/**/*.{ts,md}': 0,
  'packages/*/{src,generate}/**/*.ts': 0,
  '{packages,test}/**/*.php': 0,
  'scripts/**/*.{ts,mjs}': 0,
  'src/**/*.ts': 0,
  'test/**/*.{ts,tsx}': 0,
  'tools/**/*.ts': 0,
  'web/**/*.{ts,tsx,css}': 0,
};

/** Matches files that are not checked: installed packages, generated files, fixtures, the changelog and this test. */
const EXCEPT =
  /(^|\/)(node_modules|dist[^/]*|generated|fixtures)\/|^CHANGELOG\.md$|^docs\/reference\/sdk\.md$|plain-words\.test\.ts$/;

describe('words that read like translated English', () => {
  for (const [pattern, left] of Object.entries(LEFT)) {
    it(`${pattern}: the number of lines with such words equals the number in LEFT`, () => {
      const lines = globSync(pattern, { cwd: ROOT })
        .filter((file) => !EXCEPT.test(file))
        .flatMap((file) => linesWithMarks(file));
      const list = `${lines.length} lines, ${left} in LEFT\n${lines.join('\n')}`;
      assert.equal(lines.length, left, list);
    });
  }

  it('each pattern matches an example, and no pattern matches a plain sentence', () => {
    assert.ok(MARKS.every((mark) => SAMPLES.some((sample) => mark.test(sample))));
    assert.ok(!MARKS.some((mark) => mark.test('The caller receives a 409. Retry after two seconds.')));
  });
});

const SAMPLES = [
  'Whoever asks, whatever they ask, begins anew, once more, and by turns.',
  'The caller is told so and gives up; what is there is not used any more.',
  'It is laid to rest, and of nobody is it asked; they are put out.',
];

function linesWithMarks(file: string): string[] {
  return readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .flatMap((line, index) => (MARKS.some((mark) => mark.test(line)) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
}
