// Builds the parts that do not run from source: the SDK's generated sources, the packages packages/browser and
// packages/sdk, and the browser applications web/console and web/portal. Each part is built if its sources have
// changed. The service itself has no build. `node scripts/build.mjs browser` builds one part. This is plain JavaScript,
// because the bootstrap may run it on an older Node.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Files that every build depends on: this script, and the lock file with the versions of the tools. */
const shared = ['scripts/build.mjs', 'package-lock.json'];

/** The name of a file in each built folder. It contains a hash of the sources from which the folder was built. */
const STAMP = '.stamp';
const KEPT_ASSETS_MS = 24 * 60 * 60 * 1_000;
/** The oldest version of Node that runs this project's TypeScript. */
const OLDEST_NODE = 24;

/**
 * Each part with the folder that is built (`to`), its sources (`of`) and its build function (`make`). `make` writes to
 * a temporary folder, whose files replace the files of `to` once the build is complete. A part is built after the part
 * that it `needs`.
 */
const BUILDS = {
  generated: { to: 'packages/sdk/src/generated', of: generatedSources(), make: generate },
  browser: { to: 'packages/browser/dist', of: packageSources('browser'), make: buildBrowser },
  sdk: { to: 'packages/sdk/dist', of: packageSources('sdk'), needs: 'generated', make: buildSdk },
  console: { to: 'web/console/dist', of: pageSources('console'), needs: 'generated', make: buildPages },
  portal: { to: 'web/portal/dist', of: pageSources('portal'), needs: 'generated', make: buildPages },
};

/**
 * Returns the sources from which the SDK is generated: contracts, files that contracts may import, the code that
 * creates the OpenAPI document, the generator, and the examples.
 */
function generatedSources() {
  return [
    'scripts/sdk.ts',
    'package.json',
    'packages/sdk/generate',
    'packages/sdk/package.json',
    'src/core',
    'src/*/domain',
    'src/*/contract',
    'src/app/openapi',
    'src/app/operations.ts',
    'test/packages/sdk/examples',
  ];
}

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

/** Returns whether the named parts were built from their current sources. Without names, checks all parts. */
export function isBuilt(...names) {
  return partsOf(names).every(isCurrent);
}

/** Builds the named parts if they have changed. Without names, builds all changed parts. */
export async function build(...names) {
  for (const part of partsOf(names)) {
    if (isCurrent(part)) continue;
    const { to, of, make } = part;
    const startedAt = Date.now();
    // Hash the sources first, so that an edit during the build triggers another build next time.
    const stamp = hashOf(of);
    const folder = dirname(join(root, to));
    const into = `${join(root, to)}.${process.pid}`;
    try {
      mkdirSync(into, { recursive: true });
      await make(folder, into);
      writeFileSync(join(into, STAMP), stamp);
      replace(join(root, to), into);
    } finally {
      rmSync(into, { recursive: true, force: true });
    }
    console.error(`Built ${to.replace(/\/dist$/, '')} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  }
}

/** Returns the named parts in build order: each part after the parts that it needs. */
function partsOf(names) {
  const all = names.length > 0 ? names : Object.keys(BUILDS);
  return [...new Set(all.flatMap((name) => [BUILDS[name].needs ?? name, name]))].map((name) => BUILDS[name]);
}

function isCurrent({ to, of }) {
  return contentOf(join(root, to, STAMP)) === hashOf(of);
}

/** Writes the SDK's generated sources and the OpenAPI document. */
function generate(_folder, into) {
  try {
    execFileSync(nodeForTypeScript(), [join(root, 'scripts', 'sdk.ts'), into], { stdio: ['ignore', 2, 2] });
  } catch {
    throw new Error('The sources of packages/sdk could not be generated (see above).');
  }
}

/** Returns the path of a Node that runs TypeScript. An older Node may run this script during the installation. */
function nodeForTypeScript() {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath;
  const [system, file] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node'];
  return join(root, 'node_modules', `node-${system}-${process.arch}`, 'bin', file);
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

/** Builds the console or the portal. Doesn't check types, because `npm run typecheck` checks them. */
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

/**
 * Returns the path if it is a file, or the files of the folder without build output. `*` means every folder. Returns an
 * empty array for a missing path: a Docker image lacks the examples, which the SDK has only in comments.
 */
function sourcesAt(path) {
  const [above, below] = path.split('/*/');
  if (below !== undefined) {
    const names = readdirSync(join(root, above)).sort();
    return names.flatMap((name) => sourcesAt(`${above}/${name}/${below}`));
  }
  if (!existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  return filesIn(join(root, path))
    .filter((file) => !/^dist\b/.test(file) && basename(file) !== STAMP)
    .map((file) => join(path, file));
}

/**
 * Replaces the files of `folder` one by one, the stamp last, and then deletes outdated files. A process that starts
 * during the replacement finds every file, old or new. Two concurrent builds write the same files, so they don't
 * conflict.
 */
function replace(folder, by) {
  const files = filesIn(by).sort((a, b) => (a === STAMP) - (b === STAMP));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    renameSync(join(by, file), join(folder, file));
  }
  for (const file of filesIn(folder)) {
    if (!files.includes(file) && !isStillNeeded(join(folder, file))) rmSync(join(folder, file), { force: true });
  }
}

/**
 * Returns whether an outdated chunk must be kept, because it was built within the last day. Pages that are already open
 * may still load such a chunk.
 */
function isStillNeeded(path) {
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
