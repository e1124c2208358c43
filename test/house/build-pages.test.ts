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

/** A console of two files, so that it is built in a moment. */
const SOURCES = {
  'ui/base.css': 'body { margin: 0; }',
  'ui/button.module.css': '.button { color: teal; }',
  'ui/button.tsx': `import names from './button.module.css';\nexport const Button = () => <b className={names.button} />;`,
  'packages/sdk/src/whence.ts': `export const greeting = 'Hello from the SDK';`,
  'recipes/recipes.ts': 'export {};',
  'console/main.tsx': `import { greeting } from '@whence/sdk';\ndocument.title = greeting;\nvoid import('./page.tsx');`,
  'console/page.tsx': `import { Button } from '#ui/button.tsx';\nimport names from './page.module.css';\nexport const Page = () => <p className={names.page}><Button /></p>;`,
  'console/page.module.css': '.page { color: navy; }',
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
    for (const path of [...files, 'ui/tsconfig.json', 'console/tsconfig.json'])
      cpSync(join(ROOT, path), join(copy, path));
    for (const [path, content] of Object.entries(SOURCES)) write(path, content);
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it('makes a chunk of each page that is fetched later, and one stylesheet of all', async () => {
    assert.match(await build(), /^Built console in \d+\.\d s\.\n$/);
    assert.deepEqual(kinds(), ['main .js', 'page .js', 'style .css']);
    const style = assets().find((name) => name.endsWith('.css')) ?? '';
    assert.match(read(style), /body\{margin:0\}.*\{color:teal\}.*\{color:navy\}/);
    // A class is called the same in the sheet and in the chunk.
    const [, navy = ''] = /\.(\w+)\{color:navy\}/.exec(read(style)) ?? [];
    assert.ok(read(named('page')).includes(`"${navy}"`));
    assert.match(read(named('main')), /Hello from the SDK/);
  });

  it('leads from index.html to what is needed at once, and not to what is fetched later', () => {
    const html = readFileSync(join(copy, 'console', 'dist', 'index.html'), 'utf8');
    const asked = [...html.matchAll(/(?:src|href)="\{root\}\/assets\/(\w+)-\w+(\.\w+)"/g)].map(
      ([, name = '', kind = '']) => name + kind,
    );
    assert.deepEqual([...new Set(asked)].sort(), ['chunk.js', 'main.js', 'style.css']);
    assert.match(html, /<html lang="en"\{place\}>/);
  });

  it('is done again when a source of ui/ or of the SDK has changed, and renames what has changed alone', async () => {
    assert.equal(await build(), '');
    write('packages/sdk/src/whence.ts', `export const greeting = 'Hello again';`);
    assert.match(await build(), /^Built console/);
    assert.deepEqual(kinds(), ['main .js', 'main .js', 'page .js', 'style .css']);
    write('ui/button.tsx', SOURCES['ui/button.tsx'].replace('<b', '<i'));
    assert.match(await build(), /^Built console/);
    assert.deepEqual(kinds(), ['main .js', 'main .js', 'main .js', 'page .js', 'page .js', 'style .css']);
  });

  it('leaves the assets of before for a day, to whoever has a page open', async () => {
    const old = new Date(Date.now() - 25 * 60 * 60 * 1_000);
    for (const name of assets()) utimesSync(join(copy, 'console', 'dist', 'assets', name), old, old);
    write('console/page.module.css', '.page { color: olive; }');
    assert.match(await build(), /^Built console/);
    assert.deepEqual(kinds(), ['main .js', 'page .js', 'style .css']);
  });

  it('that fails leaves what was built before', async () => {
    const before = assets();
    write('console/page.tsx', 'export const Page = <');
    await assert.rejects(build(), /page\.tsx/);
    assert.deepEqual(assets(), before);
    assert.deepEqual(
      readdirSync(join(copy, 'console')).filter((name) => name.startsWith('dist')),
      ['dist'],
    );
  });

  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), content);
  };
  const assets = (): string[] => readdirSync(join(copy, 'console', 'dist', 'assets')).sort();
  /** Without licences, and what chunks share. */
  const kinds = (): string[] =>
    assets()
      .filter((name) => !/^chunk-|\.txt$/.test(name))
      .map((name) => name.replace(/-\w+\./, ' .'))
      .sort();
  const named = (name: string): string =>
    assets().find((asset) => asset.startsWith(name) && asset.endsWith('.js')) ?? '';
  const read = (asset: string): string => readFileSync(join(copy, 'console', 'dist', 'assets', asset), 'utf8');
  /** What it says. */
  const build = (): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile(process.execPath, [join(copy, 'scripts', 'build.mjs'), 'console'], (error, _, said) =>
        error === null ? resolve(said) : reject(error),
      );
    });
});
