// Builds the parts that do not run from source: the published packages (packages/*) and the browser applications
// (web/console, web/portal). Each is built into its `dist` folder if its sources have changed. The service itself has
// no build. `node scripts/build.mjs browser` builds one part. Plain JavaScript, because the bootstrap may run it on an
// older Node.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Files that every build depends on: this script, and the lock file with the versions of the tools. */
const shared = ['scripts/build.mjs', 'package-lock.json'];

/** The name of the file in `dist` that contains the hash of the sources it was built from. */
const STAMP = '.stamp';
const KEPT_ASSETS_MS = 24 * 60 * 60 * 1_000;

/**
 * Each part with its folder, its sources (`of`) and its build function (`make`). `make` writes to a temporary folder,
 * which replaces `dist` once it is complete.
 */
const BUILDS = {
  browser: { folder: 'packages/browser', of: packageSources('browser'), make: buildBrowser },
  sdk: { folder: 'packages/sdk', of: packageSources('sdk'), make: buildSdk },
  console: { folder: 'web/console', of: pageSources('console'), make: buildPages },
  portal: { folder: 'web/portal', of: pageSources('portal'), make: buildPages },
};

function packageSources(name) {
  return ['package.json', 'tsconfig.json', 'src'].map((path) => `packages/${name}/${path}`);
}

/** Returns the sources of an application. The applications also use web/ui, the recipes, and the SDK's sources. */
function pageSources(name) {
  return [
    'scripts/build-pages.mjs',
    'package.json',
    'tsconfig.json',
    'web/ui',
    'examples/recipes',
    'packages/sdk/src',
    `web/${name}`,
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(...process.argv.slice(2));

/** Returns whether every part was built from its current sources. Takes a few milliseconds. */
export function isBuilt() {
  return Object.values(BUILDS).every(isCurrent);
}

/** Builds the named parts that have changed; all parts if no name is given. */
export async function build(...names) {
  for (const name of names.length > 0 ? names : Object.keys(BUILDS)) {
    const { folder, of, make } = BUILDS[name];
    if (isCurrent(BUILDS[name])) continue;
    const startedAt = Date.now();
    // Hash the sources first, so that an edit during the build triggers another build next time.
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

/** Builds the script for a `<script>` tag, the module, and the module's types. */
async function buildBrowser(folder, into) {
  // Imported here because the bootstrap loads this file before anything is installed.
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

/** Compiles each file to JavaScript and types. */
function buildSdk(folder, into) {
  compile(folder, into);
}

/** Builds the console or the portal. Does not check types; `npm run typecheck` does. */
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

/** Returns the file, or the files of the folder without build output. */
function sourcesAt(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  return filesIn(join(root, path))
    .filter((file) => !/^dist\b/.test(file))
    .map((file) => join(path, file));
}

/**
 * Replaces the files of `folder` one by one, the stamp last. A process that starts during the replacement finds every
 * file, old or new. Two concurrent builds write the same files.
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

/**
 * Returns whether a chunk must be kept for pages that are already open. Such pages load chunks of the previous build
 * for up to a day.
 */
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
