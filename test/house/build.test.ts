import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');

describe('the build of the published packages', () => {
  let copy: string;
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'whence-build-'));
    for (const path of ['scripts/build.mjs', 'package-lock.json', 'packages/browser']) {
      cpSync(join(ROOT, path), join(copy, path), { recursive: true, filter: (source) => !source.includes('/dist') });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it('runs once, and again when a source has changed', async () => {
    assert.match(await build(), /^Built packages\/browser in \d+\.\d s\.\n$/);
    assert.equal(await build(), '');
    appendFileSync(source(), '\n// Another.\n');
    assert.match(await build(), /^Built/);
  });

  it('contains the script, the module and its types', () => {
    const files = readdirSync(join(copy, 'packages', 'browser', 'dist'));
    for (const file of ['whence.js', 'whence.mjs', 'whence.d.ts']) assert.ok(files.includes(file), file);
    assert.doesNotMatch(built('whence.js'), /export/);
    assert.match(built('whence.mjs'), /export\{\w+ as createWhence\}/);
  });

  it('removes the output of deleted sources, and can run twice concurrently', async () => {
    writeFileSync(join(copy, 'packages', 'browser', 'src', 'gone.ts'), 'export const gone = 1;\n');
    assert.match((await Promise.all([build(), build()])).join(''), /^Built/);
    assert.ok(existsSync(join(copy, 'packages', 'browser', 'dist', 'gone.d.ts')));
    rmSync(join(copy, 'packages', 'browser', 'src', 'gone.ts'));
    await build();
    assert.ok(!existsSync(join(copy, 'packages', 'browser', 'dist', 'gone.d.ts')));
    assert.equal(await build(), '');
  });

  it('names the package if it fails, and keeps the previous build', async () => {
    const before = built('whence.js');
    appendFileSync(source(), 'const number: number = "text";\n');
    await assert.rejects(build(), /packages\/browser does not compile/);
    assert.equal(built('whence.js'), before);
    const folders = readdirSync(join(copy, 'packages', 'browser')).filter((name) => name.startsWith('dist'));
    assert.deepEqual(folders, ['dist'], 'no partial build is left');
  });

  const source = (): string => join(copy, 'packages', 'browser', 'src', 'whence.ts');
  const built = (file: string): string => readFileSync(join(copy, 'packages', 'browser', 'dist', file), 'utf8');
  /** Runs the build and returns its messages. Rejects if the build fails. */
  const build = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const script = join(copy, 'scripts', 'build.mjs');
      execFile(process.execPath, [script, 'browser'], (error, _, said) =>
        error === null ? resolve(said) : reject(error),
      );
    });
});
