import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { describe, it } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };

/*
 * Checks the structure of src/: areas in the order of a sale's processing, and layers inside most areas. See
 * ARCHITECTURE.md.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const SOURCES = join(ROOT, 'src');

/** The areas, from top to bottom. An area imports only from itself and the areas above it. */
const AREAS = [
  'core',
  'platform',
  'organizations',
  'access',
  'collaborators',
  'programs',
  'tracking',
  'sales',
  'connectors',
  'ledger',
  'attribution',
  'payouts',
  'reporting',
  'backtest',
  'webhooks',
  'portal',
  'materials',
  'notifications',
  'privacy',
  'verify',
  'app',
];

/**
 * Areas without layers. LAYERS states which layers may import `core` and `platform`. No layer may import `verify` or
 * `app`.
 */
const WITHOUT_LAYERS = new Set(['core', 'platform', 'verify', 'app']);

const PLATFORM = ['platform', 'platform/crypto', 'platform/postgres', 'platform/throttles', 'platform/worker'];

/**
 * The code that each layer may import: `core`, parts of the platform, and layers of its own area and of the areas
 * above. PACKAGES lists the packages.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  domain: ['core', 'domain'],
  wording: ['core', 'domain', 'wording', 'platform/email'],
  contract: ['core', 'domain', 'contract'],
  store: ['core', 'domain', 'wording', 'store', 'platform', 'platform/crypto', 'platform/postgres', 'platform/worker'],
  commands: ['core', 'domain', 'wording', 'store', 'commands', 'platform/email', ...PLATFORM],
  reactions: ['core', 'domain', 'wording', 'store', 'commands', 'reactions', 'platform/email', ...PLATFORM],
  routes: ['core', 'domain', 'wording', 'contract', 'store', 'commands', 'routes', 'platform/http', ...PLATFORM],
};

/** The packages that `core` and each layer may import. `platform`, `verify` and `app` may import any package. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  core: ['node:crypto', 'zod', 'ipaddr.js'],
  domain: ['node:crypto', 'ibantools', 'image-size/types/*', 'ipaddr.js'],
  wording: [],
  contract: ['zod'],
  store: ['node:crypto', 'pg', 'sql-template-tag'],
  commands: [
    'node:crypto',
    'node:util',
    'otplib',
    'stripe',
    '@simplewebauthn/server',
    '@simplewebauthn/server/helpers',
    '@zxcvbn-ts/core',
    '@zxcvbn-ts/language-common',
  ],
  reactions: ['node:*', 'pino'],
  routes: ['node:*', 'fastify', 'isbot', 'zod'],
};

/** Folders outside the stores that may contain SQL, each with the purpose of the SQL. */
const SPEAKS_SQL: Readonly<Record<string, string>> = {
  'platform/postgres': 'connections, migrations, backups and the shared parts of list queries',
  'platform/throttles': 'counters of attempts, which no area owns',
  'platform/email': 'the queue of outgoing email',
  'platform/worker': 'the queue of jobs',
  verify: 'the invariants, each with its query',
  app: 'readiness and metrics',
};

type Import = { readonly file: string; readonly from: string; readonly to: string };

const FILES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
/** The paths, from the root, of all handwritten TypeScript, .mjs and CSS files in the folders with code. */
const CODE = ['src', 'web', 'packages', 'tools', 'scripts', 'test'].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|mjs|css)$/.test(file) && !/(^|\/)(node_modules|dist[^/]*|generated)\//.test(file))
    .map((file) => `${top}/${file}`),
);
const ALL_IMPORTS = FILES.flatMap(importsOf);
const OWN = ALL_IMPORTS.filter(({ to }) => to.endsWith('.ts'));

describe('areas', () => {
  it('are the folders of src, each with an alias', () => {
    const folders = readdirSync(SOURCES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(folders.map(({ name }) => name).sort(), AREAS.toSorted());
    const aliases = Object.entries(manifest.imports).filter(([, path]) => path.startsWith('./src/'));
    assert.deepEqual(
      aliases,
      AREAS.map((area) => [`#${area}/*`, `./src/${area}/*`]),
    );
  });

  it('import only from themselves and the areas above them', () => {
    const rank = (file: string): number => AREAS.indexOf(areaOf(file));
    assert.ok(OWN.length > 2_000);
    assert.deepEqual(
      OWN.filter(({ from, to }) => rank(to) > rank(from)).map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
  });

  it('are imported through their alias from other areas, and by a relative path within an area', () => {
    const wrong = OWN.filter(({ file, from, to }) => file.startsWith('#') === (areaOf(from) === areaOf(to)));
    assert.deepEqual(
      wrong.map(({ file, from }) => `${from} imports ${file}`),
      [],
    );
  });
});

describe('layers', () => {
  it('have one of seven names', () => {
    const names = new Set(FILES.filter((file) => isLayered(file)).map((file) => file.split('/')[1] ?? ''));
    assert.deepEqual([...names].sort(), Object.keys(LAYERS).sort());
  });

  for (const [layer, allowed] of Object.entries(LAYERS)) {
    it(`${layer} imports only ${allowed.join(', ')}`, () => {
      const wrong = OWN.filter(
        ({ from, to }) => isLayered(from) && layerOf(from) === layer && !allowed.includes(layerOf(to)),
      );
      assert.deepEqual(
        wrong.map(({ from, to }) => `${from} imports ${to}`),
        [],
      );
    });
  }

  it('import only the packages listed for them', () => {
    const wrong = ALL_IMPORTS.filter(({ from, to }) => {
      const packages = PACKAGES[layerOf(from)];
      return packages !== undefined && !to.endsWith('.ts') && !packages.some((name) => isCovered(name, to));
    });
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
  });

  it('contain SQL only in stores and in the listed folders', () => {
    const speaking = FILES.filter((file) =>
      /\b(select\s.+\sfrom|insert into|update\s\w+\sset|delete from)\b/is.test(withoutComments(file)),
    ).filter((file) => layerOf(file) !== 'store' && SPEAKS_SQL[platformPartOf(file)] === undefined);
    assert.deepEqual(speaking, []);
  });

  it('use no clock, randomness or environment in core, domain and wording', () => {
    const reading = FILES.filter((file) => ['core', 'domain', 'wording'].includes(layerOf(file))).filter((file) =>
      /Date\.now|new Date\(\)|Math\.random|process\.|performance\.|randomBytes|randomUUID/.test(withoutComments(file)),
    );
    assert.deepEqual(reading, []);
  });
});

describe('files of an area', () => {
  it('have no circular imports, except in two listed folders', () => {
    const targets = Map.groupBy(OWN, ({ from }) => from);
    const reached = (file: string): Set<string> => {
      const found = new Set<string>();
      const queue = [file];
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        for (const { to } of targets.get(next) ?? []) {
          if (found.has(to)) continue;
          found.add(to);
          queue.push(to);
        }
      }
      return found;
    };
    const circular = FILES.filter((file) => !IN_CIRCLES.has(dirname(file)) && reached(file).has(file));
    assert.deepEqual(circular, []);
  });
});

describe('the repository', () => {
  it('has only eight known folders at the top level, besides hidden and generated folders', () => {
    const hidden = new Set(['node_modules', 'data', 'screenshots']);
    const top = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !hidden.has(entry.name))
      .map(({ name }) => name);
    assert.deepEqual(top.sort(), ['docs', 'examples', 'packages', 'scripts', 'src', 'test', 'tools', 'web']);
  });

  it('has at most 40 code files in a folder, except in listed folders', () => {
    const sizes = Map.groupBy(CODE, (file) => dirname(file));
    const large = [...sizes].filter(([folder, files]) => files.length > (LARGE_FOLDERS[folder] ?? 40));
    assert.deepEqual(
      large.map(([folder, files]) => [folder, files.length]),
      [],
    );
  });

  it('has at most 400 lines in a code file, except in listed test files', () => {
    assert.ok(CODE.length > 1_000);
    const long = CODE.filter((file) => lengthOf(file) > 400);
    assert.deepEqual(long.sort(), LONG_FILES.toSorted());
  });
});

/** The only folders whose files may have circular imports: the database code and its list queries. */
const IN_CIRCLES = new Set(['platform/postgres', 'platform/postgres/lists']);

/** The maximum number of code files in each folder that may exceed the usual limit of 40. */
const LARGE_FOLDERS: Readonly<Record<string, number>> = { 'test/support': 60 };

/**
 * Test files that are longer than the limit of 400 lines. Before you add to such a file, split it by subject and remove
 * it from this list.
 */
const LONG_FILES = [
  'test/app/every-call.test.ts',
  'test/oracle/decision.ts',
  'test/oracle/merchant.ts',
  'test/oracle/random-fact.ts',
  'test/packages/sdk/client.test.ts',
  'test/payouts/payout.test.ts',
  'test/platform/http/batcher.test.ts',
  'test/platform/postgres/embedded.test.ts',
  'test/scenarios/late-reports.test.ts',
  'test/scenarios/real-orders.test.ts',
  'test/tools/release/breaking-changes.test.ts',
  'test/webhooks/deliver.test.ts',
  'test/webhooks/webhook.test.ts',
];

function lengthOf(file: string): number {
  return readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length;
}

function areaOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function isLayered(file: string): boolean {
  return file.includes('/') && !WITHOUT_LAYERS.has(areaOf(file));
}

/** Returns the layer of a file. For an area without layers, returns the area, or `platform/` and the subfolder. */
function layerOf(file: string): string {
  return isLayered(file) ? (file.split('/')[1] ?? '') : platformPartOf(file);
}

function platformPartOf(file: string): string {
  const [area = '', part = ''] = file.split('/');
  return area === 'platform' && part !== basename(file) ? `${area}/${part}` : area;
}

function isCovered(name: string, specifier: string): boolean {
  return name.endsWith('*') ? specifier.startsWith(name.slice(0, -1)) : specifier === name;
}

function importsOf(from: string): Import[] {
  const found = withoutComments(from).matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/g,
  );
  return [...found].map(([, fixed, dynamic]) => {
    const file = fixed ?? dynamic ?? '';
    if (file.startsWith('.')) return { file, from, to: normalize(join(dirname(from), file)) };
    const target = (manifest.imports as Readonly<Record<string, string>>)[file.replace(/\/.*$/, '/*')];
    const path = target?.replace('*', file.replace(/^[^/]*\//, ''));
    return { file, from, to: path === undefined ? file : relative('src', normalize(path)) };
  });
}

function withoutComments(file: string): string {
  return readFileSync(join(SOURCES, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');
}
