import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const linesOf = (file: string): string[] => readFileSync(join(ROOT, file), 'utf8').split('\n');

/** The arguments of every COPY in the last stage of the Dockerfile: no tests, demo, history or data. */
const SHIPPED = [
  'package.json LICENSE ./',
  'src src',
  'docs docs',
  '--from=packages /app/node_modules node_modules',
  '--from=built /app/packages/browser/dist packages/browser/dist',
  'packages/woocommerce/whence.php packages/woocommerce/whence.php',
  '--from=built /app/web/console/dist web/console/dist',
  '--from=built /app/web/portal/dist web/portal/dist',
];

describe('the Docker image', () => {
  const lines = linesOf('Dockerfile');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('contains only the files that run the service', () => {
    const copied = last.filter((line) => /^(COPY|ADD) /.test(line)).map((line) => line.replace(/^COPY /, ''));
    assert.deepEqual(copied.toSorted(), SHIPPED.toSorted());
  });

  it('is built without development packages and runs as an unprivileged user', () => {
    assert.ok(lines.includes('ARG NPM_OMIT="--omit=dev"'));
    assert.ok(last.includes('USER node'));
    assert.ok(last.findIndex((line) => line === 'USER node') < last.findIndex((line) => line.startsWith('ENTRYPOINT')));
  });

  it('is built from an explicit list of files, so that nothing else is sent to the builder', () => {
    const ignored = linesOf('.dockerignore').filter((line) => line !== '' && !line.startsWith('#'));
    assert.equal(ignored[0], '*');
    const named = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    assert.ok(!named.includes('docs'), 'the image excludes the decisions');
    for (const folder of ['.git', '.ci', 'data', 'test', 'tools', 'docs/decisions', '.env'])
      assert.ok(!named.some((name) => name === folder || name.startsWith(`${folder}/`)), folder);
  });
});
