import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');

/** The sources of a small console, which builds quickly. */
const SOURCES = {
  'web/ui/base.css': 'body { margin: 0; }',
  'web/ui/button.module.css': '.button { color: teal; }',
  'web/ui/button.tsx': `import names from './button.module.css';\nexport const Button = () => <b className={names.button} />;`,
  'packages/sdk/src/whence.ts': `export const greeting = 'Hello from the SDK';`,
  // The SDK generator does nothing in this test.
  'scripts/sdk.ts': 'export {};',
  'src/core/money.ts': 'export {};',
  'examples/recipes/recipes.ts': 'export {};',
  'web/console/main.tsx': `import { greeting } from '@whence/sdk';\ndocument.title = greeting;\nvoid import('./page.tsx');`,
  'web/console/page.tsx': `import { Button } from '#web/ui/button.tsx';\nimport names from './page.module.css';\nexport const Page = () => <p className={names.page}><Button /></p>;`,
  'web/console/page.module.css': '.page { color: navy; }',
};

describe('the build of the pages', () => {
  let copy: string;
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'whence-pages-'));
    const files = [
      'scripts/build.mjs',
      'scripts/build-pages.mjs',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
    ];
    for (const path of [...files, 'web/ui/tsconfig.json', 'web/console/tsconfig.json'])
      cpSync(join(ROOT, path), join(copy, path));
    for (const [path, content] of Object.entries(SOURCES)) write(path, content);
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it('creates a chunk per lazy page and one stylesheet', async () => {
    assert.match(
      await build(),
      /^Built packages\/sdk\/src\/generated in \d+\.\d s\.\nBuilt web\/console in \d+\.\d s\.\n$/,
    );
    assert.deepEqual(kinds(), ['main .js', 'page .js', 'style .css']);
    const style = assets().find((name) => name.endsWith('.css')) ?? '';
    assert.match(read(style), /body\{margin:0\}.*\{color:teal\}.*\{color:navy\}/);
    // A class has the same name in the stylesheet and in the chunk.
    const [, navy = ''] = /\.(\w+)\{color:navy\}/.exec(read(style)) ?? [];
    assert.ok(read(named('page')).includes(`"${navy}"`));
    assert.match(read(named('main')), /Hello from the SDK/);
  });

  it('references only the initially needed assets in index.html', () => {
    const html = readFileSync(join(copy, 'web', 'console', 'dist', 'index.html'), 'utf8');
    const asked = [...html.matchAll(/(?:src|href)="\{root\}\/assets\/(\w+)-\w+(\.\w+)"/g)].map(
      ([, name = '', kind = '']) => name + kind,
    );
    assert.deepEqual([...new Set(asked)].sort(), ['chunk.js', 'main.js', 'style.css']);
    assert.match(html, /<html lang="en"\{place\}>/);
  });

  it('runs again when a source of ui/ or the SDK changes, and renames only changed assets', async () => {
    assert.equal(await build(), '');
    write('packages/sdk/src/whence.ts', `export const greeting = 'Hello again';`);
    assert.match(await build(), /^Built web\/console/);
    assert.deepEqual(kinds(), ['main .js', 'main .js', 'page .js', 'style .css']);
    write('web/ui/button.tsx', SOURCES['web/ui/button.tsx'].replace('<b', '<i'));
    assert.match(await build(), /^Built web\/console/);
    assert.deepEqual(kinds(), ['main .js', 'main .js', 'main .js', 'page .js', 'page .js', 'style .css']);
  });

  it('removes the previous assets once they are older than a day', async () => {
    const old = new Date(Date.now() - 25 * 60 * 60 * 1_000);
    for (const name of assets()) utimesSync(join(copy, 'web', 'console', 'dist', 'assets', name), old, old);
    write('web/console/page.module.css', '.page { color: olive; }');
    assert.match(await build(), /^Built web\/console/);
    assert.deepEqual(kinds(), ['main .js', 'page .js', 'style .css']);
  });

  it('keeps the previous build if it fails', async () => {
    const before = assets();
    write('web/console/page.tsx', 'export const Page = <');
    await assert.rejects(build(), /page\.tsx/);
    assert.deepEqual(assets(), before);
    assert.deepEqual(
      readdirSync(join(copy, 'web', 'console')).filter((name) => name.startsWith('dist')),
      ['dist'],
    );
  });

  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), content);
  };
  const assets = (): string[] => readdirSync(join(copy, 'web', 'console', 'dist', 'assets')).sort();
  /** Returns the names of the assets without their hashes, omitting license files and shared chunks. */
  const kinds = (): string[] =>
    assets()
      .filter((name) => !/^chunk-|\.txt$/.test(name))
      .map((name) => name.replace(/-\w+\./, ' .'))
      .sort();
  const named = (name: string): string =>
    assets().find((asset) => asset.startsWith(name) && asset.endsWith('.js')) ?? '';
  const read = (asset: string): string => readFileSync(join(copy, 'web', 'console', 'dist', 'assets', asset), 'utf8');
  /** Runs the build and returns its messages. Rejects if the build fails. */
  const build = (): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile(process.execPath, [join(copy, 'scripts', 'build.mjs'), 'console'], (error, _, said) =>
        error === null ? resolve(said) : reject(error),
      );
    });
});
