import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const DOMAIN = join(ROOT, 'src', 'domain');
const COMPLETE = ['lines', 'branches', 'functions'].map((part) => `--test-coverage-${part}=100`);

it('every line and branch of the domain is taken by the domain’s own tests', async () => {
  // Functions out of the compile cache are counted less exactly.
  const { NODE_TEST_CONTEXT: _, NODE_COMPILE_CACHE: __, ...env } = process.env;
  const args = [
    '--test',
    '--test-reporter=spec',
    '--experimental-test-coverage',
    '--test-coverage-include=src/domain/**',
    ...COMPLETE,
    ...globSync('test/domain/*.test.ts', { cwd: ROOT }),
  ];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, env, maxBuffer: 2 ** 26 }, (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });
  const files = output.split('\n').filter((line) => /^ℹ .*\.ts +\|/.test(line));
  const measured = new Set(files.map((line) => /(\S+\.ts)/.exec(line)?.[1]));
  // A file that no test of the domain loads is not measured at all.
  const missed = globSync('*.ts', { cwd: DOMAIN }).filter(
    (file) => !measured.has(file) && readFileSync(join(DOMAIN, file), 'utf8').includes('function '),
  );
  assert.deepEqual(missed, [], output.slice(-2_000));
  assert.deepEqual(
    files.filter((line) => (line.match(/100\.00/g)?.length ?? 0) < 3),
    [],
    'file | lines | branches | functions',
  );
});
