import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const COMPLETE = ['lines', 'branches', 'functions'].map((part) => `--test-coverage-${part}=100`);

it('every line and branch of the domain is taken by the domain’s own tests', async () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
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
  assert.ok(files.length > 20, `the coverage is measured:\n${output.slice(-2_000)}`);
  assert.deepEqual(
    files.filter((line) => (line.match(/100\.00/g)?.length ?? 0) < 3),
    [],
    'file | lines | branches | functions',
  );
});
