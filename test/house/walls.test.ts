import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');

type Law = Readonly<Record<string, { readonly rooms: readonly string[]; readonly packages: readonly string[] }>>;

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

/**
 * The folders and packages that each folder of web/ may import. The applications don’t import each other, and use the
 * service only through its API.
 */
const PAGES: Law = {
  ui: {
    rooms: [],
    // uplot draws charts, uqr creates QR codes, and tinykeys handles keyboard shortcuts.
    packages: [...PAGE_PACKAGES, 'uplot', 'uqr', 'tinykeys'],
  },
  // examples/recipes has the recipes of the guided start and of new programs.
  console: { rooms: ['web/ui', 'examples/recipes'], packages: PAGE_PACKAGES },
  portal: { rooms: ['web/ui'], packages: PAGE_PACKAGES },
};

describe('imports of pages and tools', () => {
  for (const [room, { rooms, packages }] of Object.entries(PAGES)) {
    it(`${room} imports only ${[...rooms, ...packages].join(', ')}`, () => {
      const breaches = sourceFiles(join(ROOT, 'web', room)).flatMap((file) =>
        importsOf(file)
          .filter((specifier) => !isAllowedInPages(room, file, specifier, rooms, packages))
          .map((specifier) => `${relative(ROOT, file)} imports ${specifier}`),
      );
      assert.deepEqual(breaches, []);
    });
  }

  it('the traffic library uses the service only through HTTP', () => {
    const foreign = sourceFiles(join(ROOT, 'tools', 'traffic')).flatMap((file) =>
      importsOf(file).filter((specifier) => !/^(\.\/[a-z-]+\.ts|node:[a-z/_]+)$/.test(specifier)),
    );
    assert.deepEqual(foreign, []);
  });

  it('the simulator uses the service only through HTTP and the SDK, and verifies its database', () => {
    const known = /^(\.\/[a-z-]+\.ts|node:[a-z/]+|@whence\/sdk|commander|#tools\/traffic\/[a-z-]+\.ts)$/;
    const verifying = /^(#core\/ids\.ts|#platform\/postgres\/database\.ts|#verify\/verify\.ts)$/;
    const foreign = sourceFiles(join(ROOT, 'tools', 'simulate')).flatMap((file) =>
      importsOf(file).filter((specifier) => !known.test(specifier) && !verifying.test(specifier)),
    );
    assert.deepEqual(foreign, []);
  });

  it('the demo uses the service through the SDK and the modules that start it', () => {
    const known =
      /^(\.\/[a-z-]+\.ts|node:[a-z/]+|@whence\/sdk|commander|pino|#examples\/recipes\/recipes\.ts|#tools\/traffic\/[a-z-]+\.ts)$/;
    const starting =
      /^(#app\/(config|main)\.ts|#platform\/log\.ts|#platform\/postgres\/(database|embedded\/embedded|migrate)\.ts)$/;
    const foreign = sourceFiles(join(ROOT, 'tools', 'demo')).flatMap((file) =>
      importsOf(file).filter((specifier) => !known.test(specifier) && !starting.test(specifier)),
    );
    assert.deepEqual(foreign, []);
  });

  it('the fuzzer imports only tools, the test setup, and the listed packages and modules of the service', () => {
    const known =
      /^(\.\.?\/[a-z/-]+\.ts|node:[a-z/]+|ajv\/dist\/2020\.js|fast-check|pg|pino|#test\/support\/[a-z-]+\.ts|#access\/domain\/person\.ts|#core\/caller\.ts)$/;
    const starting =
      /^(#app\/(config|main)\.ts|#platform\/postgres\/(database|embedded\/embedded|migrate)\.ts|#verify\/verify\.ts)$/;
    const foreign = sourceFiles(join(ROOT, 'tools', 'fuzz')).flatMap((file) =>
      importsOf(file).filter((specifier) => !known.test(specifier) && !starting.test(specifier)),
    );
    assert.deepEqual(foreign, []);
  });

  it('recipes import only from the SDK', () => {
    const imported = sourceFiles(join(ROOT, 'examples', 'recipes')).flatMap(importsOf);
    assert.deepEqual([...new Set(imported)], ['@whence/sdk']);
  });
});

describe('budgets and file names', () => {
  const folders = ['src', 'test', 'tools', 'scripts', 'web', 'examples'];
  const files = folders.flatMap((folder) => sourceFiles(join(ROOT, folder)));

  it('no TypeScript file is longer than 500 lines', () => {
    const long = files
      .map((file) => [relative(ROOT, file), lineCount(file)] as const)
      .filter(([, lines]) => lines > 500);
    assert.deepEqual(long, []);
  });

  it('no file has a vague name', () => {
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

  it('no test uses `.only`, `.todo` or `.skip`', () => {
    const marked = files.filter((file) => /\b(it|describe|test)\.(only|todo|skip)\(/.test(withoutComments(file)));
    assert.deepEqual(
      marked.map((file) => relative(ROOT, file)).filter((file) => file !== 'test/house/walls.test.ts'),
      [],
    );
  });
});

describe('the SQL of the schema', () => {
  const postgres = join(ROOT, 'src', 'platform', 'postgres');
  const sql = ['schema', 'migrations']
    .flatMap((name) => readdirSync(join(postgres, name)).map((file) => join(postgres, name, file)))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .replaceAll(/--.*$/gm, '');

  it('puts organization_id first in each primary, unique and foreign key, except keys in the definition of one column', () => {
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

  it('stores no amount as a float', () => {
    // Exchange rates are numeric with ten decimals.
    assert.doesNotMatch(sql, /\b(real|double precision|float\d?|money|numeric(?!\(\d+, (0|10)\)))\b/i);
  });
});

function isAllowed(specifier: string, rooms: readonly string[], packages: readonly string[]): boolean {
  if (specifier.startsWith('#')) return rooms.some((allowed) => specifier.startsWith(`#${allowed}/`));
  return packages.some(
    (allowed) => specifier === allowed || (allowed.endsWith('*') && specifier.startsWith(allowed.slice(0, -1))),
  );
}

/**
 * Returns whether an import is allowed. A relative path must stay inside the folder `room` of web/. Any other import
 * must be in `rooms` or `packages`.
 */
function isAllowedInPages(
  room: string,
  file: string,
  specifier: string,
  rooms: readonly string[],
  packages: readonly string[],
): boolean {
  if (specifier.startsWith('.'))
    return !relative(join(ROOT, 'web', room), join(dirname(file), specifier)).startsWith('..');
  return isAllowed(specifier, rooms, packages);
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
