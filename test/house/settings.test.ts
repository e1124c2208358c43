import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { settings } from '#app/config.ts';
import { type Operation, takesIdempotencyKey } from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';
import { PROBLEMS } from '#core/contract/problem.ts';
import { opportunities } from '#web/console/tracking/opportunities-texts.ts';
import { REASON_SENTENCES, UNENGAGED_SENTENCES } from '#attribution/wording/reason-sentences.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** All Markdown pages of the project. */
const PAGES = globSync('**/*.md', { cwd: ROOT, exclude: (path) => /(^|\/)(node_modules|data)$/.test(path) });

describe('files that repeat parts of other files', () => {
  it('.env.example has every setting with its description and default', () => {
    assert.equal(read('.env.example'), envExample());
  });

  it('.env.example can be read by a shell with every line uncommented', () => {
    const lines = envExample().replaceAll(/^# (?=[A-Z_]+=)/gm, '');
    const { stdout } = spawnSync('sh', ['-c', `set -a\n${lines}\nprintf %s "$MAIL_FROM"`], { encoding: 'utf8' });
    assert.equal(stdout, known().find(({ name }) => name === 'MAIL_FROM')?.fallback);
  });

  it('docs/reference/operating.md has every setting with its description and default', () => {
    const rows = known().map(
      ({ name, fallback, description }) =>
        `| \`${name}\` | ${fallback === undefined ? 'none' : `\`${fallback}\``} | ${description} |`,
    );
    assert.deepEqual(tableAfter('docs/reference/operating.md', '| Setting | Default | Meaning |'), rows);
  });

  it('npm start, the Docker image and the unit in docs/reference/operating.md pass the same Node flags', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    const flags = flagsIn(scripts.start);
    assert.equal(flags.length, 3);
    const { entrypoint = '' } = /^ENTRYPOINT (?<entrypoint>.+)$/m.exec(read('Dockerfile'))?.groups ?? {};
    assert.deepEqual(flagsIn(entrypoint), flags);
    const page = read('docs/reference/operating.md');
    const { unit = '' } = /^ExecStart=(?<unit>.+)$/m.exec(page)?.groups ?? {};
    assert.deepEqual(flagsIn(unit), flags);
    assert.ok(page.includes(`: \`${flags.join(' ')}\``), 'the text of the page lists the flags');
  });

  it('the packages sdk and browser have the license file', () => {
    for (const name of ['sdk', 'browser']) assert.equal(read(`packages/${name}/LICENSE`), read('LICENSE'));
  });

  it('docs/reference/http.md has every problem code with its status', () => {
    const rows = tableAfter('docs/reference/http.md', '| Status | Code | When |').map(
      (row) => /^\| (\d+ \| `[a-z-]+`) \|/.exec(row)?.[1] ?? row,
    );
    assert.deepEqual(
      rows,
      Object.entries(PROBLEMS).map(([code, { status }]) => `${status} | \`${code}\``),
    );
  });

  it('docs/reference/explanations.md has every reason code with its sentence', () => {
    assert.deepEqual(
      tableAfter('docs/reference/explanations.md', '| Reason | Meaning |'),
      Object.entries(REASON_SENTENCES).map(([code, sentence]) => `| \`${code}\` | ${sentence} |`),
    );
  });

  it('docs/reference/explanations.md and the console journey give the same reasons for touches without a program', () => {
    const sentences = Object.entries(UNENGAGED_SENTENCES);
    assert.deepEqual(
      tableAfter('docs/reference/explanations.md', '| Reason of a touch | In words |'),
      sentences.map(([code, sentence]) => `| \`${code}\` | ${sentence} |`),
    );
    // Console pages say “partner” instead of “collaborator”.
    const shown = sentences.map(([code, sentence]) => [code, sentence.replaceAll('collaborator', 'partner')]);
    assert.deepEqual(opportunities.journey.reasons, Object.fromEntries(shown));
  });

  it('docs/reference/http.md has every call with the scopes that it needs', () => {
    assert.deepEqual(
      tableAfter('docs/reference/http.md', '| Call | Scopes | What it does |'),
      Object.values<Operation>(operations).map(({ method, path, scope, gives, summary, open }) => {
        const scopes = gives === undefined ? `\`${scope}\`` : `\`${scope}\`, \`${gives}\``;
        return `| \`${method} ${path}\` | ${open === true ? 'open to all' : scopes} | ${summary} |`;
      }),
    );
  });
});

it('docs/reference/http.md lists the calls that neither recognize repeats nor read Idempotency-Key', () => {
  const rows = tableAfter('docs/reference/http.md', '| Call | How a repeat is recognized |');
  const matches = rows
    .filter((row) => row.includes('| not recognized'))
    .flatMap((row) => {
      const arePrefixes = row.includes('its path begins with');
      const paths = [...row.matchAll(/(?<=[ `])\/v1\/[^`]+/g)].map(([path]) => path);
      return paths.map((each) => ({
        each,
        of: (path: string) => (arePrefixes ? path.startsWith(each) : path === each),
      }));
    });
  const posts = Object.values<Operation>(operations).filter(({ method }) => method === 'POST');
  const isReport = ({ repeats }: Operation): boolean => repeats === 'binding' || repeats === 'event-row';
  const ignoring = posts.filter((post) => !isReport(post) && !takesIdempotencyKey(post));
  const listed = posts.filter(({ path }) => matches.some(({ of }) => of(path)));
  assert.deepEqual(listed.map(({ path }) => path).sort(), ignoring.map(({ path }) => path).sort());
  const dead = matches.filter(({ of }) => !posts.some(({ path }) => of(path))).map(({ each }) => each);
  assert.deepEqual(dead, [], 'every path on the page exists');
});

describe('links in the documentation', () => {
  it('point to existing files and headings', () => {
    const dead = PAGES.flatMap((page) =>
      linksOf(page)
        .filter((link) => !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    assert.ok(PAGES.includes('README.md'));
    assert.deepEqual(dead, []);
  });
});

type Setting = { readonly name: string; readonly fallback: string | number | undefined; readonly description: string };

function known(): Setting[] {
  const fallbacks: Readonly<Record<string, string | number | undefined>> = settings.parse({});
  return Object.entries(settings.shape).map(([name, { description = '' }]) => ({
    name,
    fallback: fallbacks[name],
    description,
  }));
}

function envExample(): string {
  const blocks = known().map(
    ({ name, fallback, description }) => `# ${description}\n# ${name}=${quoted(String(fallback ?? ''))}\n`,
  );
  return [
    '# All settings of Whence with their defaults. Copy this file to .env, and uncomment the settings that you change.\n' +
      '# docs/reference/operating.md explains how the service reads the file. An empty value counts as absent.\n',
    ...blocks,
  ].join('\n');
}

/** Quotes a value for a shell if it contains spaces or characters such as `<`. */
function quoted(value: string): string {
  return /^[\w.:/@,%+-]*$/.test(value) ? value : `'${value}'`;
}

/** Returns the rows of a page's table with the heading row `head`. Fails if the page has no such table. */
function tableAfter(page: string, head: string): string[] {
  const lines = read(page).split('\n');
  const start = lines.indexOf(head);
  assert.notEqual(start, -1, `${page} has no table ${head}`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return end === -1 ? rows : rows.slice(0, end);
}

/** Returns the relative links of a page, except links in code. */
function linksOf(page: string): string[] {
  const prose = read(page)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || (statSync(join(ROOT, target)).isFile() && headingsOf(target).includes(heading));
}

/** Returns the anchors of a page's headings, in the format of most Markdown renderers. */
function headingsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function flagsIn(command: string): string[] {
  return command.match(/--[a-z][a-z-]+=\d+/g) ?? [];
}
