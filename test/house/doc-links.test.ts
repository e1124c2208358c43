import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = globSync(['*.md', 'docs/**/*.md', 'examples/*/README.md', 'packages/*/README.md'], { cwd: ROOT });
const FILES = globSync('{src,web,packages,tools,scripts,test,examples}/**/*.{ts,tsx,js,mjs,sql}', { cwd: ROOT }).filter(
  (file) => !/(^|\/)(node_modules|dist[^/]*)\//.test(file),
);

describe('the documentation', () => {
  it('links only to existing files and headings', () => {
    const broken = PAGES.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !URL.canParse(link) && !leads(page, link))
        .map((link) => `${page}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it('names only existing source files', () => {
    const names = new Set(FILES.map((file) => basename(file)));
    const missing = PAGES.flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/`([\w./-]+\.(?:tsx?|sql))`/g)]
        .map(([, path = '']) => path)
        .filter((path) =>
          path.includes('/') ? !FILES.some((file) => `/${file}`.endsWith(`/${path}`)) : !names.has(path),
        )
        .map((path) => `${page}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });
});

function leads(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(target).includes(anchor);
}

/** Returns the anchors of a page's headings, in GitHub's format. */
function anchorsOf(page: string): string[] {
  return [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}
