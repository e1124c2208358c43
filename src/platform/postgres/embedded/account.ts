import { spawnSync } from 'node:child_process';
import { lchownSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { clusterIn } from './data-folder.ts';
import type { Programs } from './postgres-programs.ts';

/** The account that runs PostgreSQL's programs, which refuse to run as root. `uid` and `gid` must own the cluster. */
export type Account = { command: readonly string[]; spawnAs: { uid?: number; gid?: number }; uid: number; gid: number };

/** Logs a message, by default at the level info. */
export type LogLine = (message: string, level?: 'info' | 'warn') => void;

type User = { readonly uid: number; readonly gid: number };

const NOBODY = 65_534;
const OWN_USER = 'whence';

/**
 * Returns the first account that can open the folder, can run the programs, and has a name, which initdb requires.
 *
 * As root, the candidates are, in this order:
 * - The owner of the cluster, or a dedicated user for a new cluster.
 * - A user namespace in which root's files seem to belong to the user `nobody`, if the first candidate can't open a
 *   parent folder.
 * - The user of the first candidate, with only the capability to bypass folder permissions. It is used if namespaces
 *   are forbidden, as in most containers.
 *
 * Throws an Error if root finds no account. The process of an ordinary user uses its own account, or a user namespace
 * if its account has no name. If neither works, the function returns its own account, and initdb reports the problem.
 */
export function accountFor(folder: string, programs: Programs, log: LogLine): Account {
  const asSelf: Account = { command: [], spawnAs: {}, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (process.platform === 'win32') return asSelf;
  const inNamespace = {
    ...asSelf,
    command: splitWords(`unshare --user --map-user=${NOBODY} --map-group=${NOBODY} --`),
  };
  const findWorking = (accounts: Account[]) => accounts.find((account) => canRunServer(account, folder, programs));
  if (!isRoot()) return findWorking([asSelf, inNamespace]) ?? asSelf;
  const [unprivileged, passing] = accountsOfOther(ownerOf(clusterIn(folder)) ?? ownUser(log));
  const account = findWorking([unprivileged, inNamespace, passing]);
  if (account) return account;
  throw new Error(
    `PostgreSQL can’t run as root, and no other user can reach both ${folder} and ${programs.bin}. ` +
      'Start Whence as an ordinary user, or set DATABASE_URL to your own server.',
  );
}

/** Returns whether this process runs as root, so that PostgreSQL must run as another user. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Returns the owner of an existing cluster, or undefined if there is no cluster or root owns it. The owner stays the
 * same, so that a start with sudo doesn't lock out the user who created the cluster.
 */
function ownerOf(cluster: string): User | undefined {
  const { uid = 0, gid = 0 } = statSync(cluster, { throwIfNoEntry: false }) ?? {};
  return uid === 0 ? undefined : { uid, gid };
}

/**
 * Returns the user for a new cluster: the system user `whence`, which is created if it is missing. If that fails,
 * returns the user `nobody`. This is the last choice, because every other service that runs as `nobody` could read and
 * change the database.
 */
function ownUser(log: LogLine): User {
  const existing = userNamed(OWN_USER);
  if (existing !== undefined) return existing;
  const looks = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/false'];
  spawnSync('useradd', [...looks, OWN_USER], { ...childEnvironment(), stdio: 'ignore' });
  const created = userNamed(OWN_USER);
  if (created === undefined) {
    log(`PostgreSQL runs as nobody: there is no user ${OWN_USER}, and useradd could not create it`, 'warn');
    return { uid: NOBODY, gid: NOBODY };
  }
  log(`created the system user ${OWN_USER}, which PostgreSQL runs as`);
  return created;
}

function userNamed(name: string): User | undefined {
  const [uid = 0, gid = 0] = ['-u', '-g'].map((option) =>
    Number(spawnSync('id', [option, name], { ...childEnvironment(), encoding: 'utf8' }).stdout),
  );
  return uid > 0 && gid > 0 ? { uid, gid } : undefined;
}

/** Returns two accounts for a user: one without privileges, and one that can bypass the permissions of folders. */
function accountsOfOther(other: User): [Account, Account] {
  const passing = splitWords(
    `setpriv --reuid=${other.uid} --regid=${other.gid} --clear-groups --securebits=+no_setuid_fixup
     --inh-caps=-all,+dac_override --ambient-caps=-all,+dac_override --`,
  );
  return [
    { command: [], spawnAs: other, ...other },
    { command: passing, spawnAs: {}, ...other },
  ];
}

const splitWords = (text: string) => text.split(/\s+/);

function canRunServer(account: Account, folder: string, { bin }: Programs): boolean {
  const trial = ['-c', 'cd "$1" && "$2" --version && id -un', 'sh', folder, join(bin, 'postgres')];
  const { file, args, options } = runAs(account, '/bin/sh', trial);
  return spawnSync(file, args, { ...options, stdio: 'ignore' }).status === 0;
}

/** Returns the arguments for `spawn` to run `program` as `account`. `env` is added to its environment. */
export function runAs({ command, spawnAs }: Account, program: string, options: string[], env = {}) {
  const [file = program, ...args] = [...command, program, ...options];
  return { file, args, options: { ...childEnvironment(env), ...spawnAs } };
}

/**
 * Returns a minimal environment and working folder. This process's environment contains secrets that /proc would show,
 * and the account may lack access to this process's working folder.
 */
export function childEnvironment(more: Record<string, string> = {}) {
  const { PATH, SystemRoot } = process.env;
  return { cwd: resolve('/'), env: { PATH, SystemRoot, LC_ALL: 'C', ...more } };
}

/**
 * Makes the account the owner of `path` and everything below it. Does nothing if the account already owns `path`, or if
 * this process isn't root.
 */
export function changeOwner(path: string, { uid, gid }: Account): void {
  if (!isRoot() || lstatSync(path).uid === uid) return;
  const entries = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  for (const entry of entries) lchownSync(join(path, entry), uid, gid);
  // Change the folder last, so that an interrupted change is repeated at the next start.
  lchownSync(path, uid, gid);
}
