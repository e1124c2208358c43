import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');

/** Who may import whom: the table of ARCHITECTURE.md. A package is named where a room may use it. */
const LAW: Readonly<Record<string, { readonly rooms: readonly string[]; readonly packages: readonly string[] }>> = {
  domain: { rooms: [], packages: ['node:crypto', /* ranges of addresses: */ 'ipaddr.js'] },
  contract: { rooms: ['domain'], packages: ['zod'] },
  store: { rooms: ['domain'], packages: ['pg', 'sql-template-tag', /* the embedded server: */ 'node:*'] },
  operations: {
    rooms: ['domain', 'store'],
    packages: ['node:crypto', 'node:util', /* codes of apps: */ 'otplib', /* passkeys: */ '@simplewebauthn/server'],
  },
  pipeline: { rooms: ['domain', 'store'], packages: [] },
  webhooks: { rooms: ['contract', 'domain', 'store'], packages: ['node:*'] },
  mails: { rooms: ['domain', 'store'], packages: ['nodemailer'] },
  http: {
    rooms: ['contract', 'domain', 'operations', 'store/read'],
    packages: ['fastify', 'pino', 'zod', 'csv-stringify/sync', '@scalar/fastify-api-reference', 'node:*'],
  },
};

const PAGE_PACKAGES = [
  'react',
  'react-dom',
  'react-dom/client',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@base-ui/react/*',
  '@simplewebauthn/browser',
  '@whence/sdk',
  'lucide-react',
];

/** What runs in browsers: the applications know each other not at all, and the service by its API alone. */
const PAGES: typeof LAW = {
  ui: { rooms: [], packages: [...PAGE_PACKAGES, /* charts: */ 'uplot', /* QR codes: */ 'uqr'] },
  // What the guided start and a new program begin with.
  console: { rooms: ['ui', 'recipes'], packages: PAGE_PACKAGES },
  portal: { rooms: ['ui'], packages: PAGE_PACKAGES },
};

/** What the door may take of the store beside its read side: whether the database is at fault, and what seals secrets. */
const EXCEPTIONS = new Set(['http → store/database', 'http → store/secret-box']);

describe('the walls of the house', () => {
  for (const [room, { rooms, packages }] of Object.entries(LAW)) {
    it(`${room} imports only ${[...rooms, ...packages].join(', ') || 'itself'}`, () => {
      const breaches = sourceFiles(join(ROOT, 'src', room)).flatMap((file) =>
        importsOf(file)
          .filter((specifier) => !isAllowed(room, specifier, rooms, packages))
          .map((specifier) => `${relative(ROOT, file)} imports ${specifier}`),
      );
      assert.deepEqual(breaches, []);
    });
  }

  for (const [room, { rooms, packages }] of Object.entries(PAGES)) {
    it(`${room} imports only ${[...rooms, ...packages].join(', ')}`, () => {
      const breaches = sourceFiles(join(ROOT, room)).flatMap((file) =>
        importsOf(file)
          .filter((specifier) => !isAllowedInPages(room, file, specifier, rooms, packages))
          .map((specifier) => `${relative(ROOT, file)} imports ${specifier}`),
      );
      assert.deepEqual(breaches, []);
    });
  }

  it('the simulator knows the service by the SDK alone', () => {
    const foreign = sourceFiles(join(ROOT, 'simulate')).flatMap((file) =>
      importsOf(file).filter((specifier) => !/^(\.\/[a-z-]+\.ts|node:[a-z/]+|@whence\/sdk|commander)$/.test(specifier)),
    );
    assert.deepEqual(foreign, []);
  });

  it('the demo knows the service by the SDK, and what starts it', () => {
    const known =
      /^(\.\/[a-z-]+\.ts|node:[a-z/]+|@whence\/sdk|commander|pino|#recipes\/recipes\.ts|\.\.\/simulate\/dice\.ts)$/;
    const starting = /^(\.\.\/src\/(config|log|main)\.ts|#store\/(database|embedded|migrate)\.ts)$/;
    const foreign = sourceFiles(join(ROOT, 'demo')).flatMap((file) =>
      importsOf(file).filter((specifier) => !known.test(specifier) && !starting.test(specifier)),
    );
    assert.deepEqual(foreign, []);
  });

  it('what fuzzes knows the service by what tests start it with, and its calls by the document alone', () => {
    const known =
      /^(\.\/[a-z-]+\.ts|node:[a-z/]+|ajv\/dist\/2020\.js|fast-check|pg|pino|#test\/support\/[a-z-]+\.ts|#domain\/person\.ts)$/;
    const starting = /^(\.\.\/src\/(config|main)\.ts|#store\/(database|embedded|migrate|verify)\.ts)$/;
    const foreign = sourceFiles(join(ROOT, 'fuzz')).flatMap((file) =>
      importsOf(file).filter((specifier) => !known.test(specifier) && !starting.test(specifier)),
    );
    assert.deepEqual(foreign, []);
  });

  it('recipes are data: they import the SDK’s types alone', () => {
    const imported = sourceFiles(join(ROOT, 'recipes')).flatMap(importsOf);
    assert.deepEqual([...new Set(imported)], ['@whence/sdk']);
  });

  it('every folder of src is a room with a law', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(folders.map((entry) => entry.name).sort(), Object.keys(LAW).sort());
  });

  it('only the store speaks SQL', () => {
    const speaking = sourceFiles(join(ROOT, 'src'))
      .filter((file) => !relative(join(ROOT, 'src'), file).startsWith('store'))
      .filter((file) => /\b(select\s.+\sfrom|insert into|update\s\w+\sset|delete from)\b/is.test(withoutComments(file)))
      .map((file) => relative(ROOT, file))
      .filter((file) => file !== 'src/main.ts');
    assert.deepEqual(speaking, []);
  });

  it('the domain reads no clock, no randomness, no environment', () => {
    const reading = sourceFiles(join(ROOT, 'src', 'domain')).filter((file) =>
      /Date\.now|new Date\(\)|Math\.random|process\.|performance\.|randomBytes|randomUUID/.test(withoutComments(file)),
    );
    assert.deepEqual(reading, []);
  });
});

describe('the budgets', () => {
  const folders = [
    'src',
    'test',
    'bench',
    'chaos',
    'fuzz',
    'scripts',
    'simulate',
    'demo',
    'recipes',
    ...Object.keys(PAGES),
  ];
  const files = folders.flatMap((folder) => sourceFiles(join(ROOT, folder)));

  it('no file is longer than 500 lines', () => {
    const long = files
      .map((file) => [relative(ROOT, file), lineCount(file)] as const)
      .filter(([, lines]) => lines > 500);
    assert.deepEqual(long, []);
  });

  it('no file is called after nothing', () => {
    const vague = files.filter((file) =>
      /(^|\/)(types|utils?|helpers?|manager|service|common|misc|index)\.tsx?$/.test(file),
    );
    assert.deepEqual(
      vague.map((file) => relative(ROOT, file)).filter((file) => file !== 'test/support/service.ts'),
      [],
    );
  });

  it('file names are kebab-case', () => {
    assert.deepEqual(
      files
        .map((file) => relative(ROOT, file))
        .filter((file) => !/^[a-z0-9/]+([-.][a-z0-9]+)*(\/[a-z0-9]+([-.][a-z0-9]+)*)*\.tsx?$/.test(file)),
      [],
    );
  });

  it('no test is left to do or runs alone', () => {
    const marked = files.filter((file) => /\b(it|describe|test)\.(only|todo|skip)\(/.test(withoutComments(file)));
    assert.deepEqual(
      marked.map((file) => relative(ROOT, file)).filter((file) => file !== 'test/house/walls.test.ts'),
      [],
    );
  });
});

describe('the schema', () => {
  const migrations = join(ROOT, 'src', 'store', 'migrations');
  const sql = readdirSync(migrations)
    .map((file) => readFileSync(join(migrations, file), 'utf8'))
    .join('\n')
    .replaceAll(/--.*$/gm, '');

  it('leads every primary, unique and foreign key with organization_id', () => {
    const keys = [...sql.matchAll(/(primary key|unique|foreign key)\s*\(([^)]*)\)/g)].map(
      ([, kind, columns = '']) => `${kind} ${columns.trim()}`,
    );
    const uniqueIndexes = [...sql.matchAll(/create unique index \w+ on \w+\s*\(([^)]*)\)/g)].map(
      ([, columns = '']) => `unique index ${columns.trim()}`,
    );
    assert.ok(keys.length > 20 && uniqueIndexes.length > 3);
    assert.deepEqual(
      [...keys, ...uniqueIndexes].filter((key) => !/(key|unique|index) organization_id\b/.test(key)),
      [],
    );
  });

  it('keeps no amount as a float', () => {
    assert.doesNotMatch(sql, /\b(real|double precision|float\d?|money|numeric(?!\(\d+, 0\)))\b/i);
  });
});

function isAllowed(room: string, specifier: string, rooms: readonly string[], packages: readonly string[]): boolean {
  if (specifier.startsWith('.'))
    return (
      !specifier.startsWith('../') ||
      !/^(\.\.\/)+(domain|contract|store|operations|pipeline|webhooks|mails|http)\//.test(specifier)
    );
  if (specifier.startsWith('#')) {
    const path = specifier.slice(1).replace(/\.ts$/, '');
    const [other = ''] = path.split('/');
    if (other === room || EXCEPTIONS.has(`${room} → ${path}`)) return true;
    return rooms.some((allowed) => path === allowed || path.startsWith(`${allowed}/`));
  }
  return packages.some(
    (allowed) => specifier === allowed || (allowed.endsWith('*') && specifier.startsWith(allowed.slice(0, -1))),
  );
}

/** A path leads nowhere out of its room, but for the SDK, which is a package. */
function isAllowedInPages(
  room: string,
  file: string,
  specifier: string,
  rooms: readonly string[],
  packages: readonly string[],
): boolean {
  if (specifier.startsWith('.')) return !relative(join(ROOT, room), join(dirname(file), specifier)).startsWith('..');
  return isAllowed(room, specifier.replace(/\.(tsx|css)$/, '.ts'), rooms, packages);
}

function importsOf(file: string): string[] {
  return [
    ...withoutComments(file).matchAll(/(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/g),
  ].map(([, fixed, dynamic]) => fixed ?? (dynamic as string));
}

function withoutComments(file: string): string {
  return readFileSync(file, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');
}

function lineCount(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
