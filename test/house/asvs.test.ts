import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const STATES = ['done', 'partly', 'not done', 'yours'] as const;

type Row = { readonly item: string; readonly level: string; readonly state: string; readonly text: string };

function rowsOf(page: string, item: RegExp): Row[] {
  return read(page)
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, id = '']) => item.test(id))
    .map(([, id = '', level = '', state = '', ...text]) => ({ item: id, level, state, text: text.join('|') }));
}

/** Returns links to missing files, and links to tests whose file does not contain the link text. */
function untrue({ item, text }: Row): string[] {
  const links = [...text.matchAll(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g)];
  return links.flatMap(([link, words = '', target = '']) => {
    const path = join('docs', target);
    if (!existsSync(join(ROOT, path))) return [`${item}: ${link}`];
    if (!path.startsWith('test/') || read(path).includes(words) || path.endsWith(`/${words}.test.ts`)) return [];
    return [`${item}: ${path} has no “${words}”`];
  });
}

describe('docs/asvs.md', () => {
  const rows = rowsOf('docs/asvs.md', /^V\d/);

  it('lists items of levels 1 and 2 once, in the order and with the level of the standard', () => {
    const listed = rows.map(({ item, level }) => `${item} ${level}`);
    const standard = read('test/fixtures/asvs-5.0.0.txt').trim().split('\n');
    assert.deepEqual(
      listed,
      standard.filter((line) => listed.includes(line)),
    );
    assert.match(read('docs/asvs.md'), new RegExp(`\\b${standard.length - listed.length} items`));
  });

  it('gives each item one state and counts the states correctly', () => {
    const counted = STATES.map((state) => [state, String(rows.filter((row) => row.state === state).length)]);
    assert.deepEqual(
      rowsOf('docs/asvs.md', /^(done|partly|not done|yours)$/).map(({ item, state }) => [item, state]),
      counted,
    );
    assert.deepEqual(
      rows.filter(({ state }) => !(STATES as readonly string[]).includes(state)),
      [],
    );
  });

  it('explains each item, and its links lead to existing files and test names', () => {
    assert.deepEqual(
      rows.filter(({ text }) => text.length < 5),
      [],
    );
    assert.deepEqual(rows.flatMap(untrue), []);
  });
});

describe('docs/owasp-api.md', () => {
  const rows = rowsOf('docs/owasp-api.md', /^API\d+/);

  it('lists each of the ten risks with links to tests', () => {
    assert.deepEqual(
      rows.map(({ item }) => item),
      Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    );
    assert.deepEqual(
      rows.filter(({ text }) => !text.includes('.test.ts')),
      [],
    );
    assert.deepEqual(rows.flatMap(untrue), []);
  });
});
