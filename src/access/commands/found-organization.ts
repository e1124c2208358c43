import { randomBytes } from 'node:crypto';
import { keyHash, keyPrefix, rawKeyOf } from '../domain/api-key.ts';
import type { ApiKeyId, OrganizationId } from '#core/ids.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { ensureKey, findFirstOrganization, lockFounding, insertOrganization } from '../store/organization-founding.ts';
import { apiKeys } from '../store/read/api-keys.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { chooseOrganization } from './choose-organization.ts';
import { KEY_KINDS, type KeyKind, SCOPES } from '#core/caller.ts';
import type { Mode } from '#core/mode.ts';

/** The raw text of new API keys, by kind. Only their hashes are stored, so the caller must show the text now. */
export type NewKeys = Readonly<Partial<Record<KeyKind, string>>>;

/**
 * Ensures that there is a first organization and that it has the `given` API keys. A new organization also gets the
 * keys that are not given. Returns the organization's id and these new keys. Several processes can call it
 * concurrently.
 */
export async function ensureFirstOrganization(
  database: Database,
  given: Readonly<Partial<Record<KeyKind, string | undefined>>>,
): Promise<{ organizationId: OrganizationId; newKeys: NewKeys }> {
  return inTransaction(database, async (connection) => {
    await lockFounding(connection);
    const existing = await findFirstOrganization(connection);
    const organizationId =
      existing ?? (await insertOrganization(connection, 'My organization', 'live', randomBytes(16)));
    const tenant = { connection, organizationId };
    for (const kind of KEY_KINDS) {
      const rawKey = given[kind];
      if (rawKey !== undefined) await addKey(tenant, kind, rawKey, 'From the environment');
    }
    const missing = existing === undefined ? KEY_KINDS.filter((kind) => given[kind] === undefined) : [];
    return { organizationId, newKeys: await makeKeys(tenant, missing, 'First key') };
  });
}

/** Creates another organization, with a first key of each kind. Its mode can't be changed later. */
export async function foundOrganization(
  database: Database,
  name: string,
  mode: Mode = 'live',
): Promise<{ organizationId: OrganizationId; newKeys: NewKeys }> {
  return inTransaction(database, async (connection) => {
    const organizationId = await insertOrganization(connection, name, mode, randomBytes(16));
    const tenant = { connection, organizationId };
    const newKeys = await makeKeys(tenant, KEY_KINDS, 'First key');
    const organization = await readOrganization(tenant);
    const call = { operation: 'foundOrganization', path: '/v1/organization' };
    await audit(tenant, call, { name, mode }, organization);
    return { organizationId, newKeys };
  });
}

/**
 * Creates an API key from the command line, for example if an organization has lost its last key. Returns the raw key.
 * Throws if the organization doesn't exist.
 */
export async function makeKey(
  database: Database,
  organizationId: OrganizationId | undefined,
  kind: KeyKind,
  label: string,
): Promise<string> {
  return inTransaction(database, async (connection) => {
    const of = await chooseOrganization(connection, organizationId);
    const rawKey = rawKeyOf(kind, randomBytes(32));
    const tenant = { connection, organizationId: of };
    const id = await addKey(tenant, kind, rawKey, label);
    const key = id && (await readOne(tenant, apiKeys, { id }));
    await audit(tenant, { operation: 'createApiKey', path: '/v1/api-keys' }, { kind, label }, key);
    return rawKey;
  });
}

/**
 * Records a change made on the command line. The audit record names no person, because anyone with access to the
 * database can make such a change.
 */
async function audit(
  tenant: Tenant<Connection>,
  call: { readonly operation: string; readonly path: string },
  request: object,
  after: unknown,
): Promise<void> {
  await insertAuditEntry(tenant, {
    ...call,
    author: 'command line',
    request: JSON.stringify(request),
    before: null,
    after: JSON.stringify(after),
  });
}

async function makeKeys(tenant: Tenant<Connection>, kinds: readonly KeyKind[], label: string): Promise<NewKeys> {
  const made: Partial<Record<KeyKind, string>> = {};
  for (const kind of kinds) {
    const rawKey = rawKeyOf(kind, randomBytes(32));
    await addKey(tenant, kind, rawKey, label);
    made[kind] = rawKey;
  }
  return made;
}

async function addKey(
  tenant: Tenant<Connection>,
  kind: KeyKind,
  rawKey: string,
  label: string,
): Promise<ApiKeyId | undefined> {
  return ensureKey(tenant, {
    kind,
    label,
    hash: keyHash(rawKey),
    prefix: keyPrefix(rawKey, kind),
    scopes: kind === 'secret' ? SCOPES : ['events:write'],
  });
}
