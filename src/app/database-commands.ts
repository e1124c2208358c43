import { stat } from 'node:fs/promises';
import { type Config, publicUrlOf } from './config.ts';
import { encryptionKey, keyFileIn } from './encryption-key.ts';
import type { ApiKeyId, OrganizationId } from '#core/ids.ts';
import type { Mode } from '#core/mode.ts';
import type { PlatformUserId } from '#core/user.ts';
import { count } from '#core/count.ts';
import { eraseVisitorByCommand } from '#privacy/commands/erase-visitor-by-command.ts';
import { foundOrganization, makeKey } from '#access/commands/found-organization.ts';
import { listKeysByCommand, revokeKeyByCommand } from '#access/commands/keys-by-command.ts';
import { createAccessLink } from '#access/commands/create-access-link.ts';
import { replaceLostSecrets } from './replace-lost-secrets.ts';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { attachEmbedded, hasCluster, startEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { backUp as backUpDatabase } from '#platform/postgres/backup/backup.ts';
import { migrate as migrateDatabase } from '#platform/postgres/migrate.ts';
import { listOrganizations as listOrganizationsOfDatabase } from '#access/store/organization-founding.ts';
import type { ApiKeyResource } from '#access/store/read/api-keys.ts';
import { restore as restoreDatabase } from '#platform/postgres/backup/restore.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { grantServicePrivileges, roleOf } from '#platform/postgres/service-role.ts';
import { skipIds as skipIdsOfDatabase } from '#platform/postgres/backup/skipped-ids.ts';
import { verify as verifyDatabase } from '#verify/verify.ts';
import type { KeyKind, Role } from '#core/caller.ts';

/*
 * The commands that work on the database, whether or not the service is running. A command returns its exit code. The
 * default is 0.
 */

type Print = (...lines: readonly string[]) => void;
/** What a command works with: the settings, an open database, and a function that prints lines. */
export type CommandContext = { readonly config: Config; readonly database: Database; readonly print: Print };
/** Asks for confirmation. Resolves to true if the user confirms. */
type Confirm = (question: string) => Promise<boolean>;

/** The number of transactions between two progress lines of a replay. */
const PROGRESS_STEP = 10_000;

export async function migrate(config: Config, print: Print): Promise<number> {
  return withNewDatabase(config, async (database) => {
    const { from, to } = await migrateDatabase(database);
    if (config.DATABASE_OWNER_URL !== undefined && config.DATABASE_URL !== undefined)
      await grantServicePrivileges(database, await roleOfUrl(config.DATABASE_URL, config));
    print(
      from === to
        ? `The database is already at version ${to}.`
        : `The database was migrated from version ${from} to ${to}.`,
    );
    return 0;
  });
}

async function roleOfUrl(url: string, { DATABASE_POOLER: pooler }: Config): Promise<string> {
  const database = openDatabase(url, { connections: 1, pooler });
  try {
    return await roleOf(database);
  } finally {
    await database.end();
  }
}

export async function verify({ database, print }: CommandContext): Promise<number> {
  const { checked, breaches } = await verifyDatabase(database);
  print(...breaches.map(({ invariant, detail }) => `BROKEN  ${invariant}\n        ${detail}`));
  print(breaches.length === 0 ? `All ${checked} invariants hold.` : `Violations found: ${breaches.length}.`);
  return breaches.length === 0 ? 0 : 1;
}

export async function replay({ database, print }: CommandContext, isFromReports: boolean): Promise<number> {
  const started = performance.now();
  let nextProgress = PROGRESS_STEP;
  const decideAgain = isFromReports ? replayReports : replaySales;
  const { decided, leftOut, differences } = await decideAgain(database, (done) => {
    if (done >= nextProgress) {
      print(`${done} decided again`);
      nextProgress += PROGRESS_STEP;
    }
  });
  print(...differences.map((each) => `DIFFERS  transaction ${each.transactionId}: ${each.detail}`));
  if (leftOut > 0)
    print(
      `Transactions not decided again: ${leftOut}, because ${isFromReports ? NOT_FROM_REPORTS : 'their visits were removed by retention'}.`,
    );
  const took = `${count(decided, 'transaction')} decided again in ${((performance.now() - started) / 1000).toFixed(1)} s`;
  print(differences.length === 0 ? `${took}: no difference.` : `${took}. Differences: ${differences.length}.`);
  return differences.length === 0 ? 0 : 1;
}

const NOT_FROM_REPORTS = 'their visits were removed by retention, or they were decided by an earlier release';

export async function backUp({ config, database, print }: CommandContext, file: string): Promise<void> {
  const { rows, tables, bytes, version } = await backUpDatabase(database, file);
  print(
    `Wrote ${rows} rows of ${tables} tables to ${file} (${(bytes / 1e6).toFixed(1)} MB), at version ${version}.`,
    `The encryption key is not in the backup. Keep it in a separate place: ${placeOfKey(config)}.`,
  );
}

export async function restore(config: Config, print: Print, file: string): Promise<number> {
  await requireReadable(file);
  return withNewDatabase(config, async (database) => {
    const { header, rows, tables, version } = await restoreDatabase(database, file);
    print(
      `Restored ${rows} rows of ${tables} tables, as they were at ${header.takenAt}.`,
      `Whence ${header.release} wrote the backup at version ${header.migrations.length}. The database is now at version ${version}.`,
      `Before you start the service, restore the encryption key from the time of the backup: ${placeOfKey(config)}.`,
    );
    return 0;
  });
}

function placeOfKey(config: Config): string {
  return config.WHENCE_ENCRYPTION_KEY === undefined ? keyFileIn(config) : 'WHENCE_ENCRYPTION_KEY';
}

export async function skipIds({ database, print }: CommandContext, confirm: Confirm): Promise<number> {
  if (!(await confirm('This permanently moves every id counter of the database far ahead. Continue?'))) {
    print('Nothing was changed.');
    return 1;
  }
  await skipIdsOfDatabase(database);
  print('No id that may have been used since the backup will be used again.');
  return 0;
}

export async function createOrganization({ database, print }: CommandContext, name: string, mode: Mode): Promise<void> {
  const { organizationId, newKeys } = await foundOrganization(database, name, mode);
  const title = mode === 'test' ? 'Test organization' : 'Organization';
  print(`${title} ${organizationId}`, ...Object.entries(newKeys).map(([kind, key]) => `  ${kind} key: ${key}`));
}

export async function createKey(
  { database, print }: CommandContext,
  key: { readonly organization?: OrganizationId; readonly kind: KeyKind; readonly label: string },
): Promise<void> {
  print(await makeKey(database, key.organization, key.kind, key.label));
}

export async function listOrganizations({ database, print }: CommandContext): Promise<void> {
  for (const { id, name, tier, mode, createdAt } of await listOrganizationsOfDatabase(database)) {
    print(`${id}  ${name}  (${mode}, ${tier}, since ${createdAt.toISOString().slice(0, 10)})`);
  }
}

export async function listKeys(
  { database, print }: CommandContext,
  { organization }: { readonly organization?: OrganizationId },
): Promise<void> {
  for (const key of await listKeysByCommand(database, organization)) {
    const used = key.lastUsedAt === null ? 'never used' : `last used ${key.lastUsedAt.toISOString()}`;
    print(`${key.id}  ${key.kind}  ${key.keyPrefix}…  ${key.label}  (${stateOf(key)}, ${used})`);
  }
}

function stateOf({ revokedAt, expiresAt }: ApiKeyResource): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  return expiresAt === null ? 'active' : `active until ${expiresAt.toISOString()}`;
}

export async function revokeKey(
  { database, print }: CommandContext,
  { id, organization }: { readonly id: ApiKeyId; readonly organization?: OrganizationId },
): Promise<void> {
  const isRevoked = await revokeKeyByCommand(database, organization, id);
  print(isRevoked ? `Key ${id} is revoked. Services refuse it within a second.` : `Key ${id} was already revoked.`);
}

export async function invitePerson(
  { config, database, print }: CommandContext,
  who: { readonly email: string; readonly organization?: OrganizationId; readonly role?: Role },
): Promise<void> {
  const { kind, organization, role, url } = await createAccessLink(database, {
    ...who,
    publicUrl: publicUrlOf(config),
  });
  const what =
    kind === 'invited'
      ? `Invited to ${organization} as ${role}. The link works once, within seven days:`
      : `Already a person of ${organization}, with the role ${role}. This link sets a new password and removes the ` +
        'second factor. It works once, within an hour:';
  print(what, '', `  ${url}`, '');
  if (config.PUBLIC_URL === undefined)
    print('If the service has another address, set PUBLIC_URL, or set PORT and BASE_PATH as for the service.');
}

export async function eraseVisitor(
  { database, print }: CommandContext,
  { userId, organization }: { readonly userId: PlatformUserId; readonly organization?: OrganizationId },
): Promise<void> {
  const erased = await eraseVisitorByCommand(database, organization, userId);
  const { removedOpportunities, removedVisits, closedOpportunities, collaboratorIds } = erased;
  print(
    `Opportunities removed: ${removedOpportunities}. Their visits, coupons and custom events removed: ${removedVisits}. ` +
      `Opportunities with a sale, lead or renewal that are now invalid and without the user id: ${closedOpportunities}.`,
    ...collaboratorIds.map((id) => `Collaborator ${id} has this user id. This command does not erase them.`),
  );
}

export async function replaceSecrets({ config, database, print }: CommandContext): Promise<void> {
  const { key } = await encryptionKey(config);
  const replaced = await replaceLostSecrets(database, secretBox(key));
  const { webhooks, secondFactors, payoutDetails, taxDetails, payerAccounts, connectors } = replaced;
  for (const { organizationId, id, url, signingSecret } of webhooks)
    print(`organization ${organizationId}, webhook ${id} (${url}): ${signingSecret}`);
  for (const { organizationId, collaboratorId } of payoutDetails)
    print(`organization ${organizationId}, collaborator ${collaboratorId}: payout details must be entered again`);
  for (const { organizationId, collaboratorId } of taxDetails)
    print(`organization ${organizationId}, collaborator ${collaboratorId}: tax details must be entered again`);
  for (const organizationId of payerAccounts)
    print(`organization ${organizationId}: the bank account for payouts must be entered again`);
  for (const { organizationId, id, name } of connectors)
    print(`organization ${organizationId}, connector ${id} (${name}): the sender’s secret must be entered again`);
  if (secondFactors > 0)
    print(`${count(secondFactors, 'user')} must log in with a recovery code and set up the authenticator app again.`);
  print(`${count(webhooks.length, 'signing secret')} replaced.`);
}

async function requireReadable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) throw new Error(`There is no file ${file}. Check the path.`);
  if (!found.isFile()) throw new Error(`${file} is not a file. Check the path.`);
}

type Work = (database: Database) => Promise<number | void>;

/**
 * Runs `work` on the configured database, as its owner if DATABASE_OWNER_URL is set, and returns the exit code. Without
 * a configured database, uses the embedded database in the data folder. If it isn't running, it is started for the
 * duration of `work`. Throws if the data folder has no database.
 */
export async function withDatabase(config: Config, work: Work): Promise<number> {
  const { DATABASE_OWNER_URL, DATABASE_URL, WHENCE_DATA_DIR: folder } = config;
  if (DATABASE_OWNER_URL === undefined && DATABASE_URL === undefined && !hasCluster(folder)) {
    throw new Error(
      `There is no database in ${folder}. Set WHENCE_DATA_DIR or DATABASE_URL to your database, or start the service ` +
        'once to create one.',
    );
  }
  return withNewDatabase(config, work);
}

/** Runs `work` like `withDatabase`, but creates the embedded database if it doesn't exist. */
async function withNewDatabase(config: Config, work: Work): Promise<number> {
  const running =
    config.DATABASE_OWNER_URL ?? config.DATABASE_URL ?? (await attachEmbedded(config.WHENCE_DATA_DIR))?.url;
  const embedded =
    running === undefined ? await startEmbedded({ dataDir: config.WHENCE_DATA_DIR, log: () => {} }) : undefined;
  const database = openDatabase(running ?? (embedded?.url as string), {
    connections: 2,
    pooler: config.DATABASE_POOLER,
  });
  try {
    return (await work(database)) ?? 0;
  } finally {
    await database.end();
    await embedded?.stop();
  }
}
