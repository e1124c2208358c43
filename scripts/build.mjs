// Builds what is not run as it stands: the packages that are published (packages/*) and what browsers get (console, portal),
// each into its folder `dist`, when its sources have changed. The service itself has no build.
// `node scripts/build.mjs browser` builds one of them. Plain JavaScript, since the bootstrap may run it on an older Node.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** What else a build depends on: this file, and the versions of the tools. */
const shared = ['scripts/build.mjs', 'package-lock.json'];

/** Holds, beside what was built, the hash of what it was built of. */
const STAMP = '.stamp';
const KEPT_ASSETS_MS = 24 * 60 * 60 * 1_000;

/** Each thing that can be built: of what, and how. `into` is a folder of which `dist` is made once all is there. */
const BUILDS = {
  browser: { folder: 'packages/browser', of: packageSources('browser'), make: buildBrowser },
  sdk: { folder: 'packages/sdk', of: packageSources('sdk'), make: buildSdk },
  console: { folder: 'console', of: pageSources('console'), make: buildPages },
  portal: { folder: 'portal', of: pageSources('portal'), make: buildPages },
};

function packageSources(name) {
  return ['package.json', 'tsconfig.json', 'src'].map((path) => `packages/${name}/${path}`);
}

/** They use ui/, the recipes, and the SDK as it is written. */
function pageSources(name) {
  return ['scripts/build-pages.mjs', 'package.json', 'tsconfig.json', 'ui', 'recipes', 'packages/sdk/src', name];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(...process.argv.slice(2));

/** Whether each was made of its sources as they are: a few milliseconds. */
export function isBuilt() {
  return Object.values(BUILDS).every(isCurrent);
}

/** Builds what has changed. Without names: of all. */
export async function build(...names) {
  for (const name of names.length > 0 ? names : Object.keys(BUILDS)) {
    const { folder, of, make } = BUILDS[name];
    if (isCurrent(BUILDS[name])) continue;
    const startedAt = Date.now();
    // Read first: what is edited meanwhile is built the next time.
    const stamp = hashOf(of);
    const into = join(root, folder, `dist.${process.pid}`);
    try {
      mkdirSync(into, { recursive: true });
      await make(join(root, folder), into);
      writeFileSync(join(into, STAMP), stamp);
      replace(join(root, folder, 'dist'), into);
    } finally {
      rmSync(into, { recursive: true, force: true });
    }
    console.error(`Built ${folder} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  }
}

function isCurrent({ folder, of }) {
  return contentOf(join(root, folder, 'dist', STAMP)) === hashOf(of);
}

/** The script for a tag, the module, and the module’s types. */
async function buildBrowser(folder, into) {
  // Not at the top: the bootstrap loads this file before anything is installed.
  const { build: bundle } = await import('esbuild');
  const options = {
    bundle: true,
    minify: true,
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  };
  const source = (name) => join(folder, 'src', name);
  await bundle({ ...options, entryPoints: [source('script.ts')], format: 'iife', outfile: join(into, 'whence.js') });
  await bundle({ ...options, entryPoints: [source('whence.ts')], format: 'esm', outfile: join(into, 'whence.mjs') });
  compile(folder, into);
}

/** JavaScript and types, file by file. */
function buildSdk(folder, into) {
  compile(folder, into);
}

/** Console or portal. Types are not looked at: `npm run typecheck` does. */
async function buildPages(folder, into) {
  const { bundlePages } = await import('./build-pages.mjs');
  await bundlePages(root, folder, into);
}

function compile(folder, into) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    execFileSync(process.execPath, [compiler, '--project', folder, '--outDir', into], { stdio: ['ignore', 2, 2] });
  } catch {
    throw new Error(`${folder.slice(root.length + 1)} does not compile (see above).`);
  }
}

function hashOf(sources) {
  const hash = createHash('sha256');
  for (const path of [...shared, ...sources].flatMap(sourcesAt)) {
    const content = readFileSync(join(root, path), 'utf8');
    hash.update(`${path}\n${content.length}\n${content}`);
  }
  return hash.digest('hex');
}

/** The file, or the files of the folder, without what was built of them. */
function sourcesAt(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  return filesIn(join(root, path))
    .filter((file) => !/^dist\b/.test(file))
    .map((file) => join(path, file));
}

/**
 * File by file, the stamp last: whoever starts at this moment finds each file, the old one or the new one, and two that
 * build at once write the same.
 */
function replace(folder, by) {
  const files = filesIn(by).sort((a, b) => (a === STAMP) - (b === STAMP));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    renameSync(join(by, file), join(folder, file));
  }
  for (const file of filesIn(folder)) {
    if (!files.includes(file) && !isStillAsked(join(folder, file))) rmSync(join(folder, file), { force: true });
  }
}

/** Whoever has a page open asks for its chunks as they go on: for a day they find those of the build before. */
function isStillAsked(path) {
  return basename(dirname(path)) === 'assets' && Date.now() - statSync(path).mtimeMs < KEPT_ASSETS_MS;
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

function contentOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
