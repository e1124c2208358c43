import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '#test/support/service.ts';

/*
 * Checks the shell blocks in the documentation, and runs the blocks of some pages in common shells. zsh is the default
 * on macOS, and dash is `sh` on Debian.
 */

const SHELLS = ['bash', 'zsh', 'dash'] as const;
type Shell = (typeof SHELLS)[number];

const root = join(import.meta.dirname, '../..');
const PAGES = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/*/README.md'], { cwd: root }).filter(
  (page) => blocksOf(page).length > 0,
);
/**
 * Pages whose blocks run in sequence on a new service. The first two pages run in every shell. Each other page runs in
 * one shell.
 */
const STORIES = [
  'README.md',
  'docs/tutorial.md',
  'docs/how-to/connect-a-saas.md',
  'docs/how-to/connect-a-shop.md',
  'docs/how-to/handle-refunds-and-disputes.md',
  'docs/how-to/pay-partners.md',
  'docs/how-to/set-up-a-program.md',
  'docs/explanation/worked-examples.md',
] as const;

/** Matches assignments to names that zsh ties to other variables, reserves or refuses to assign. `path` is PATH. */
const TAKEN_BY_ZSH =
  /(?:^|[\s;{(])(path|fpath|cdpath|manpath|mailpath|module_path|status|argv|pipestatus|signals|options)=/;

const run = promisify(execFile);
let folder: string;
let shells: ReadonlySet<Shell>;
let hasCurl: boolean;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-shells-'));
  const found = await Promise.all(
    SHELLS.map((shell) =>
      run(shell, ['-c', 'true']).then(
        () => [shell],
        () => [],
      ),
    ),
  );
  shells = new Set(found.flat());
  hasCurl = await run('curl', ['--version']).then(
    () => true,
    () => false,
  );
});
after(() => rm(folder, { recursive: true, force: true }));

describe('shell blocks in the documentation', () => {
  it('are found in all expected pages', () => {
    assert.ok(PAGES.length >= 10, PAGES.join(', '));
    for (const page of STORIES) assert.ok(PAGES.includes(page), page);
  });

  for (const shell of SHELLS) {
    it(`have valid syntax in ${shell}`, async (context) => {
      if (!shells.has(shell)) return context.skip(`${shell} is not installed`);
      const file = join(folder, `${shell}.sh`);
      for (const page of PAGES) {
        for (const block of blocksOf(page)) {
          await writeFile(file, block);
          await assert.doesNotReject(run(shell, ['-n', file]), `${page}:\n${block}`);
        }
      }
    });
  }

  it('assign no variable name that zsh reserves', () => {
    for (const page of PAGES) for (const block of blocksOf(page)) assert.doesNotMatch(block, TAKEN_BY_ZSH, page);
  });

  it('have no comments, because zsh passes pasted comments to the command as arguments', () => {
    for (const page of PAGES) for (const block of blocksOf(page)) assert.doesNotMatch(block, /(?:^|\s)#/m, page);
  });
});

for (const [index, page] of STORIES.entries()) {
  describe(`${page} by copy and paste`, () => {
    for (const shell of index < 2 ? SHELLS : [SHELLS[index % SHELLS.length] ?? 'bash']) {
      it(`runs in ${shell} without errors`, async (context) => {
        if (!shells.has(shell) || !hasCurl) return context.skip(`${shell} or curl is not installed`);
        const service = await startService();
        try {
          const file = join(folder, `story-${shell}.sh`);
          await writeFile(file, blocksOf(page).join('\n'));
          const env = { ...process.env, WHENCE: service.url, KEY: service.secretKey };
          const { stdout, stderr } = await run(shell, [file], { cwd: folder, env, timeout: 60_000 });
          assert.equal(stderr, '', stdout);
          assert.doesNotMatch(stdout, /urn:whence:problem:/);
          const { body } = await service.request('GET', '/v1/programs', { key: service.secretKey });
          assert.ok((body as unknown[]).length > 0, stdout);
        } finally {
          await service.stop();
        }
      });
    }
  });
}

function blocksOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^( *)```(?:sh|bash|shell|zsh)\n([\s\S]*?)^\1```$/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^ {0,${indent.length}}`, 'gm'), ''),
  );
}
