import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const STATES = ['done', 'partly', 'not done', 'yours', 'none'] as const;

type Row = { readonly item: string; readonly level: string; readonly state: string; readonly text: string };

function rowsOf(page: string, item: RegExp): Row[] {
  return read(page)
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, id = '']) => item.test(id))
    .map(([, id = '', level = '', state = '', ...text]) => ({ item: id, level, state, text: text.join('|') }));
}

/** Links to files of ours that are not there, and to tests without a test that is called so. */
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

  it('has every item of levels 1 and 2 once, in its order and with its level', () => {
    assert.deepEqual(
      rows.map(({ item, level }) => `${item} ${level}`),
      read('test/fixtures/asvs-5.0.0.txt').trim().split('\n'),
    );
  });

  it('says of each one state, and counts them right', () => {
    const counted = STATES.map((state) => [state, String(rows.filter((row) => row.state === state).length)]);
    assert.deepEqual(
      rowsOf('docs/asvs.md', /^(done|partly|not done|yours|none)$/).map(({ item, state }) => [item, state]),
      counted,
    );
    assert.deepEqual(
      rows.filter(({ state }) => !(STATES as readonly string[]).includes(state)),
      [],
    );
  });

  it('says why, or what shows it; links lead to what is there, and have words of the test', () => {
    assert.deepEqual(
      rows.filter(({ text }) => text.length < 5),
      [],
    );
    assert.deepEqual(rows.flatMap(untrue), []);
  });
});

describe('docs/owasp-api.md', () => {
  const rows = rowsOf('docs/owasp-api.md', /^API\d+/);

  it('has each of the ten risks, with links to what shows it', () => {
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
