// Builds the packages that are published (packages/*) into their folders `dist`, when their sources have changed. The
// service itself has no build. `node scripts/build.mjs browser` builds one of them. Plain JavaScript, since the bootstrap
// may run it on an older Node.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** What else a build depends on: this file, and the versions of the tools. */
const shared = ['scripts/build.mjs', 'package-lock.json'];

/** Holds, beside what was built, the hash of what it was built of. */
const STAMP = '.stamp';

/** Each package that can be built, by how. `into` is a folder of which `dist` is made once all is there. */
const BUILDS = { browser: buildBrowser, sdk: buildSdk };

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(...process.argv.slice(2));

/** Whether each package was made of its sources as they are: a few milliseconds. */
export function isBuilt() {
  return Object.keys(BUILDS).every((name) => isCurrent(name));
}

/** Builds what has changed. Without names: of all packages. */
export async function build(...names) {
  for (const name of names.length > 0 ? names : Object.keys(BUILDS)) {
    if (isCurrent(name)) continue;
    const startedAt = Date.now();
    const folder = folderOf(name);
    // Read first: what is edited meanwhile is built the next time.
    const stamp = hashOf(folder);
    const into = join(folder, `dist.${process.pid}`);
    try {
      mkdirSync(into, { recursive: true });
      await BUILDS[name](folder, into);
      writeFileSync(join(into, STAMP), stamp);
      replace(join(folder, 'dist'), into);
    } finally {
      rmSync(into, { recursive: true, force: true });
    }
    console.error(`Built packages/${name} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  }
}

function isCurrent(name) {
  return contentOf(join(folderOf(name), 'dist', STAMP)) === hashOf(folderOf(name));
}

function folderOf(name) {
  return join(root, 'packages', name);
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

function compile(folder, into) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    execFileSync(process.execPath, [compiler, '--project', folder, '--outDir', into], { stdio: ['ignore', 2, 2] });
  } catch {
    throw new Error(`${folder.slice(root.length + 1)} does not compile (see above).`);
  }
}

function hashOf(folder) {
  const sources = filesIn(join(folder, 'src')).map((file) => join(folder, 'src', file));
  const files = [
    ...shared.map((path) => join(root, path)),
    join(folder, 'package.json'),
    join(folder, 'tsconfig.json'),
  ];
  const hash = createHash('sha256');
  for (const path of [...files, ...sources]) {
    const content = readFileSync(path, 'utf8');
    hash.update(`${path.slice(root.length)}\n${content.length}\n${content}`);
  }
  return hash.digest('hex');
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
  for (const file of filesIn(folder)) if (!files.includes(file)) rmSync(join(folder, file), { force: true });
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
