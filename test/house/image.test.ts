import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const linesOf = (file: string): string[] => readFileSync(join(ROOT, file), 'utf8').split('\n');

/** What of the folder may go to who builds the image, and then into it: no tests, no demo, no history, no data. */
const SHIPPED = [
  'package.json openapi.json LICENSE ./',
  'src src',
  '--from=packages /app/node_modules node_modules',
  '--from=built /app/packages/browser/dist packages/browser/dist',
  '--from=built /app/console/dist console/dist',
  '--from=built /app/portal/dist portal/dist',
];

describe('the image', () => {
  const lines = linesOf('Dockerfile');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('holds what runs the service, and nothing else of the folder', () => {
    const copied = last.filter((line) => /^(COPY|ADD) /.test(line)).map((line) => line.replace(/^COPY /, ''));
    assert.deepEqual(copied.toSorted(), SHIPPED.toSorted());
  });

  it('is made without development’s packages, and runs as nobody in particular', () => {
    assert.ok(lines.includes('ARG NPM_OMIT="--omit=dev"'));
    assert.ok(last.includes('USER node'));
    assert.ok(last.findIndex((line) => line === 'USER node') < last.findIndex((line) => line.startsWith('ENTRYPOINT')));
  });

  it('is made of what is named, so that nothing else is ever sent to who makes it', () => {
    const ignored = linesOf('.dockerignore').filter((line) => line !== '' && !line.startsWith('#'));
    assert.equal(ignored[0], '*');
    const named = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    for (const folder of ['.git', '.ci', 'data', 'test', 'demo', 'docs', 'chaos', 'fuzz', '.env'])
      assert.ok(!named.some((name) => name === folder || name.startsWith(`${folder}/`)), folder);
  });
});
