import { randomBytes } from 'node:crypto';
import { KEY_KINDS, type KeyKind, keyHash, keyPrefix, rawKeyOf, SCOPES } from '#domain/api-key.ts';
import type { ApiKeyId, OrganizationId } from '#domain/ids.ts';
import { insertAuditEntry } from '#store/audit.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { ensureKey, findFirstOrganization, holdFounding, insertOrganization } from '#store/organization-founding.ts';
import { apiKeys } from '#store/read/api-keys.ts';
import { readOrganization } from '#store/read/organizations.ts';
import { readOne } from '#store/read/page.ts';

/** Keys that were made just now: this is the only time that they can be shown. */
export type NewKeys = Readonly<Partial<Record<KeyKind, string>>>;

/**
 * Makes sure that there is a first organization and that it has the `given` keys. On a new database keys that are not
 * given are made, and answered. Several processes may call this at once.
 */
export async function ensureFirstOrganization(
  database: Database,
  given: Readonly<Partial<Record<KeyKind, string | undefined>>>,
): Promise<{ organizationId: OrganizationId; newKeys: NewKeys }> {
  return inTransaction(database, async (connection) => {
    await holdFounding(connection);
    const existing = await findFirstOrganization(connection);
    const organizationId = existing ?? (await insertOrganization(connection, 'My organization', randomBytes(16)));
    for (const kind of KEY_KINDS) {
      const rawKey = given[kind];
      if (rawKey !== undefined) await addKey(connection, organizationId, kind, rawKey, 'From the environment');
    }
    const missing = existing === undefined ? KEY_KINDS.filter((kind) => given[kind] === undefined) : [];
    return { organizationId, newKeys: await makeKeys(connection, organizationId, missing, 'First key') };
  });
}

/** Founds a further organization with a first key of each kind. */
export async function foundOrganization(
  database: Database,
  name: string,
): Promise<{ organizationId: OrganizationId; newKeys: NewKeys }> {
  return inTransaction(database, async (connection) => {
    const organizationId = await insertOrganization(connection, name, randomBytes(16));
    const newKeys = await makeKeys(connection, organizationId, KEY_KINDS, 'First key');
    const organization = await readOrganization(connection, organizationId);
    const call = { operation: 'foundOrganization', path: '/v1/organization' };
    await audit(connection, organizationId, call, { name }, organization);
    return { organizationId, newKeys };
  });
}

/** Makes a key for an organization from the command line: where the last one was lost, there is no other way in. */
export async function makeKey(
  database: Database,
  organizationId: OrganizationId | undefined,
  kind: KeyKind,
  label: string,
): Promise<string> {
  return inTransaction(database, async (connection) => {
    const of = organizationId ?? (await findFirstOrganization(connection));
    if (of === undefined) throw new Error('There is no organization yet: start the service once.');
    const rawKey = rawKeyOf(kind, randomBytes(32));
    const id = await addKey(connection, of, kind, rawKey, label);
    const key = id && (await readOne(connection, of, apiKeys, { id }));
    await audit(connection, of, { operation: 'createApiKey', path: '/v1/api-keys' }, { kind, label }, key);
    return rawKey;
  });
}

/** What is done here is done by whoever may reach the database; no key says who that is. */
async function audit(
  connection: Connection,
  organizationId: OrganizationId,
  call: { readonly operation: string; readonly path: string },
  request: object,
  after: unknown,
): Promise<void> {
  await insertAuditEntry(connection, organizationId, {
    ...call,
    author: 'command line',
    request: JSON.stringify(request),
    before: null,
    after: JSON.stringify(after),
  });
}

async function makeKeys(
  connection: Connection,
  organizationId: OrganizationId,
  kinds: readonly KeyKind[],
  label: string,
): Promise<NewKeys> {
  const made: Partial<Record<KeyKind, string>> = {};
  for (const kind of kinds) {
    const rawKey = rawKeyOf(kind, randomBytes(32));
    await addKey(connection, organizationId, kind, rawKey, label);
    made[kind] = rawKey;
  }
  return made;
}

async function addKey(
  connection: Connection,
  organizationId: OrganizationId,
  kind: KeyKind,
  rawKey: string,
  label: string,
): Promise<ApiKeyId | undefined> {
  return ensureKey(connection, organizationId, {
    kind,
    label,
    hash: keyHash(rawKey),
    prefix: keyPrefix(rawKey, kind),
    scopes: kind === 'secret' ? SCOPES : ['events:write'],
  });
}
