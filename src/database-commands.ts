import { type Config, publicUrlOf } from './config.ts';
import { encryptionKey, keyFileIn } from './encryption-key.ts';
import type { KeyKind } from '#domain/api-key.ts';
import type { OrganizationId, UserId } from '#domain/ids.ts';
import { eraseVisitorByCommand } from '#operations/erase-visitor-by-command.ts';
import { foundOrganization, makeKey } from '#operations/found-organization.ts';
import type { Role } from '#domain/person.ts';
import { letIn } from '#operations/let-in.ts';
import { replaceLostSecrets } from '#operations/replace-lost-secrets.ts';
import { replaySales } from '#pipeline/replay-sales.ts';
import { type Database, openDatabase } from '#store/database.ts';
import { attachEmbedded, startEmbedded } from '#store/embedded.ts';
import { backUp as backUpDatabase } from '#store/backup.ts';
import { migrate as migrateDatabase } from '#store/migrate.ts';
import { restore as restoreDatabase } from '#store/restore.ts';
import { secretBox } from '#store/secret-box.ts';
import { letServe, roleOf } from '#store/service-role.ts';
import { skipIds as skipIdsOfDatabase } from '#store/skipped-ids.ts';
import { verify as verifyDatabase } from '#store/verify.ts';

/*
 * What the command line does with a database and without the service, beside one that runs or not. Each answers its exit
 * code.
 */

type Print = (...lines: readonly string[]) => void;

/** Transactions between two lines that say how far a replay has come. */
const PROGRESS_STEP = 10_000;

export async function migrate(config: Config, print: Print): Promise<number> {
  return withDatabase(config, async (database) => {
    const { from, to } = await migrateDatabase(database);
    if (config.DATABASE_OWNER_URL !== undefined && config.DATABASE_URL !== undefined)
      await letServe(database, await roleOfUrl(config.DATABASE_URL, config));
    print(
      from === to ? `The database is at version ${to} already.` : `The database went from version ${from} to ${to}.`,
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

export async function verify(config: Config, print: Print): Promise<number> {
  return withDatabase(config, async (database) => {
    const { checked, breaches } = await verifyDatabase(database);
    print(...breaches.map(({ invariant, detail }) => `BROKEN  ${invariant}\n        ${detail}`));
    print(breaches.length === 0 ? `All ${checked} invariants hold.` : `${breaches.length} breaches found.`);
    return breaches.length === 0 ? 0 : 1;
  });
}

export async function replay(config: Config, print: Print): Promise<number> {
  return withDatabase(config, async (database) => {
    const started = performance.now();
    const { decided, leftOut, differences } = await replaySales(database, (done) => {
      if (done % PROGRESS_STEP === 0) print(`${done} decided again`);
    });
    print(...differences.map((each) => `DIFFERS  transaction ${each.transactionId}: ${each.detail}`));
    if (leftOut > 0) print(`${leftOut} left out: their visits are not kept any more`);
    const took = `${decided} transactions decided again in ${((performance.now() - started) / 1000).toFixed(1)} s`;
    print(differences.length === 0 ? `${took}: no difference.` : `${took}: ${differences.length} differences.`);
    return differences.length === 0 ? 0 : 1;
  });
}

export async function backUp(config: Config, print: Print, file: string): Promise<number> {
  return withDatabase(config, async (database) => {
    const { rows, tables, bytes, version } = await backUpDatabase(database, file);
    print(
      `${rows} rows of ${tables} tables are in ${file} (${(bytes / 1e6).toFixed(1)} MB), at version ${version}.`,
      `The encryption key is not in it. Keep that apart from it: ${placeOfKey(config)}.`,
    );
    return 0;
  });
}

export async function restore(config: Config, print: Print, file: string): Promise<number> {
  return withDatabase(config, async (database) => {
    const { header, rows, tables, version } = await restoreDatabase(database, file);
    print(
      `Restored ${rows} rows of ${tables} tables, as they were at ${header.takenAt}.`,
      `Whence ${header.release} wrote them at version ${header.migrations.length}; the database is at version ${version}.`,
      `Put the encryption key of then in its place before you start: ${placeOfKey(config)}.`,
    );
    return 0;
  });
}

function placeOfKey(config: Config): string {
  return config.WHENCE_ENCRYPTION_KEY === undefined ? keyFileIn(config) : 'WHENCE_ENCRYPTION_KEY';
}

export async function skipIds(config: Config, print: Print): Promise<number> {
  return withDatabase(config, async (database) => {
    await skipIdsOfDatabase(database);
    print('No id is given again that may have been given since the back-up.');
    return 0;
  });
}

export async function createOrganization(config: Config, print: Print, name: string): Promise<number> {
  return withDatabase(config, async (database) => {
    const { organizationId, newKeys } = await foundOrganization(database, name);
    print(`Organization ${organizationId}`, ...Object.entries(newKeys).map(([kind, key]) => `  ${kind} key: ${key}`));
    return 0;
  });
}

export async function createKey(
  config: Config,
  print: Print,
  key: { readonly organization?: OrganizationId; readonly kind: KeyKind; readonly label: string },
): Promise<number> {
  return withDatabase(config, async (database) => {
    print(await makeKey(database, key.organization, key.kind, key.label));
    return 0;
  });
}

export async function invitePerson(
  config: Config,
  print: Print,
  who: { readonly email: string; readonly organization?: OrganizationId; readonly role?: Role },
): Promise<number> {
  return withDatabase(config, async (database) => {
    const { kind, url } = await letIn(database, { ...who, publicUrl: publicUrlOf(config) });
    print(kind === 'invited' ? INVITED : LET_IN_AGAIN, '', `  ${url}`, '');
    return 0;
  });
}

const INVITED = 'This link makes them one of the people, once, within seven days:';
const LET_IN_AGAIN =
  'They are one of the people. This link sets a new password, once, and takes their second factor away:';

export async function eraseVisitor(
  config: Config,
  print: Print,
  { userId, organization }: { readonly userId: UserId; readonly organization?: OrganizationId },
): Promise<number> {
  return withDatabase(config, async (database) => {
    const erased = await eraseVisitorByCommand(database, organization, userId);
    const { removedOpportunities, removedVisits, closedOpportunities, collaboratorIds } = erased;
    print(
      `${removedOpportunities} opportunities removed, with ${removedVisits} visits; ${closedOpportunities} that led to a sale ` +
        'have no user any more, and are closed.',
      ...collaboratorIds.map((id) => `Collaborator ${id} has this user number, and is not erased by this.`),
    );
    return 0;
  });
}

export async function replaceSecrets(config: Config, print: Print): Promise<number> {
  const { key } = await encryptionKey(config);
  return withDatabase(config, async (database) => {
    const { webhooks, secondFactors, payoutDetails } = await replaceLostSecrets(database, secretBox(key));
    for (const { organizationId, id, url, signingSecret } of webhooks)
      print(`organization ${organizationId}, webhook ${id} (${url}): ${signingSecret}`);
    for (const { organizationId, collaboratorId } of payoutDetails)
      print(`organization ${organizationId}, collaborator ${collaboratorId}: payout details have to be given anew`);
    if (secondFactors > 0) print(`${secondFactors} people log in by a recovery code, and set up their app anew.`);
    print(`${webhooks.length} secrets replaced.`);
    return 0;
  });
}

/** The database of the settings, as its owner where they name one: a server of one's own, the embedded one that runs already, or that one for a moment. */
async function withDatabase(config: Config, work: (database: Database) => Promise<number>): Promise<number> {
  const running =
    config.DATABASE_OWNER_URL ?? config.DATABASE_URL ?? (await attachEmbedded(config.WHENCE_DATA_DIR))?.url;
  const embedded =
    running === undefined ? await startEmbedded({ dataDir: config.WHENCE_DATA_DIR, log: () => {} }) : undefined;
  const database = openDatabase(running ?? (embedded?.url as string), {
    connections: 2,
    pooler: config.DATABASE_POOLER,
  });
  try {
    return await work(database);
  } finally {
    await database.end();
    await embedded?.stop();
  }
}
