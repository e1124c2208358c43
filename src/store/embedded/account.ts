import { spawnSync } from 'node:child_process';
import { lchownSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { clusterIn } from './data-folder.ts';
import type { Programs } from './postgres-programs.ts';

/** How PostgreSQL's programs are run, since they refuse root; `uid` is who must own the cluster then. */
export type Account = { command: readonly string[]; spawnAs: { uid?: number; gid?: number }; uid: number; gid: number };

const NOBODY = 65_534;

/**
 * The first account that can enter the folder, run the programs, and has a name (initdb asks for it). As root: an
 * unprivileged user; below folders that such a user can't enter, a user namespace in which root's files seem to be nobody's;
 * where namespaces are forbidden (as in most containers), nobody who keeps the one capability to pass folder permissions.
 * Throws an Error when root finds none; an ordinary user goes on as itself, and initdb says what is wrong.
 */
export function accountFor(folder: string, programs: Programs): Account {
  const asSelf: Account = { command: [], spawnAs: {}, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (process.platform === 'win32') return asSelf;
  const inNamespace = { ...asSelf, command: words(`unshare --user --map-user=${NOBODY} --map-group=${NOBODY} --`) };
  const findWorking = (accounts: Account[]) => accounts.find((account) => works(account, folder, programs));
  if (!isRoot()) return findWorking([asSelf, inNamespace]) ?? asSelf;
  const [unprivileged, passing] = accountsOfOther(ownerOf(clusterIn(folder)) ?? { uid: NOBODY, gid: NOBODY });
  const account = findWorking([unprivileged, inNamespace, passing]);
  if (account) return account;
  throw new Error(
    `PostgreSQL does not run as root, and no other user can reach both ${folder} and ${programs.bin}. ` +
      'Start Whence as an ordinary user, or set DATABASE_URL to a server of your own.',
  );
}

/** Whether PostgreSQL must run as somebody else. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/** An existing cluster keeps its owner: a start with sudo must not lock out the user who made it. */
function ownerOf(cluster: string): { uid: number; gid: number } | undefined {
  const { uid = 0, gid = 0 } = statSync(cluster, { throwIfNoEntry: false }) ?? {};
  return uid === 0 ? undefined : { uid, gid };
}

/** Another user as is, and one who may pass the permissions of folders. */
function accountsOfOther(other: { uid: number; gid: number }): [Account, Account] {
  const passing = words(
    `setpriv --reuid=${other.uid} --regid=${other.gid} --clear-groups --securebits=+no_setuid_fixup
     --inh-caps=-all,+dac_override --ambient-caps=-all,+dac_override --`,
  );
  return [
    { command: [], spawnAs: other, ...other },
    { command: passing, spawnAs: {}, ...other },
  ];
}

const words = (text: string) => text.split(/\s+/);

function works(account: Account, folder: string, { bin }: Programs): boolean {
  const trial = ['-c', 'cd "$1" && "$2" --version && id -un', 'sh', folder, join(bin, 'postgres')];
  const { file, args, options } = runAs(account, '/bin/sh', trial);
  return spawnSync(file, args, { ...options, stdio: 'ignore' }).status === 0;
}

/** What to hand to `spawn` for `program` to run as `account`; `env` is added to its environment. */
export function runAs({ command, spawnAs }: Account, program: string, options: string[], env = {}) {
  const [file = program, ...args] = [...command, program, ...options];
  return { file, args, options: { ...surroundings(env), ...spawnAs } };
}

/** Not our environment, which holds secrets that /proc would show, nor our folder, which the account may not enter. */
export function surroundings(more: Record<string, string> = {}) {
  const { PATH, SystemRoot } = process.env;
  return { cwd: resolve('/'), env: { PATH, SystemRoot, LC_ALL: 'C', ...more } };
}

/** Makes `path`, with everything below it, the account's own. Only root can, and only root needs to. */
export function give(path: string, { uid, gid }: Account): void {
  if (!isRoot() || lstatSync(path).uid === uid) return;
  const entries = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  for (const entry of entries) lchownSync(join(path, entry), uid, gid);
  // The folder last, so that a change which was interrupted is taken up again.
  lchownSync(path, uid, gid);
}
