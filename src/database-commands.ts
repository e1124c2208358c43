import { type Config, publicUrlOf } from './config.ts';
import { encryptionKey } from './encryption-key.ts';
import type { KeyKind } from '#domain/api-key.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { foundOrganization, makeKey } from '#operations/found-organization.ts';
import type { Role } from '#domain/person.ts';
import { letIn } from '#operations/let-in.ts';
import { replaceLostSecrets } from '#operations/replace-lost-secrets.ts';
import { replaySales } from '#pipeline/replay-sales.ts';
import { type Database, openDatabase } from '#store/database.ts';
import { attachEmbedded, startEmbedded } from '#store/embedded.ts';
import { migrate as migrateDatabase } from '#store/migrate.ts';
import { secretBox } from '#store/secret-box.ts';
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
    print(
      from === to ? `The database is at version ${to} already.` : `The database went from version ${from} to ${to}.`,
    );
    return 0;
  });
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

export async function replaceSecrets(config: Config, print: Print): Promise<number> {
  const { key } = await encryptionKey(config);
  return withDatabase(config, async (database) => {
    const replaced = await replaceLostSecrets(database, secretBox(key));
    print(
      ...replaced.map(
        ({ organizationId, id, url, signingSecret }) =>
          `organization ${organizationId}, webhook ${id} (${url}): ${signingSecret}`,
      ),
    );
    print(`${replaced.length} secrets replaced.`);
    return 0;
  });
}

/** The database of the settings: a server of one's own, the embedded one that runs already, or that one for a moment. */
async function withDatabase(config: Config, work: (database: Database) => Promise<number>): Promise<number> {
  const running = config.DATABASE_URL ?? (await attachEmbedded(config.WHENCE_DATA_DIR))?.url;
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
