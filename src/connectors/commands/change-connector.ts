import { randomInt } from 'node:crypto';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { changedFields } from '#platform/changed-fields.ts';
import type { ConnectorId } from '#core/ids.ts';
import type { Mode } from '#core/mode.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type ConnectorKind, MAX_CONNECTORS } from '../domain/connector.ts';
import { sourceOf } from '../domain/source.ts';
import {
  type ConnectorFields,
  deleteConnector as storeDeletion,
  findSources,
  insertConnector,
  lockConnector,
  replaceConnectorSecret,
  updateConnector,
} from '../store/connectors.ts';

export type ConnectorCreation =
  | { readonly kind: 'created'; readonly id: ConnectorId; readonly mode: Mode }
  /** The organization has another mode than the caller expects. */
  | { readonly kind: 'wrong-mode'; readonly mode: Mode }
  | { readonly kind: 'too-many' | 'source-taken' };

export type NewConnector = ConnectorFields & {
  readonly kind: ConnectorKind;
  /** The expected mode of the organization. If absent, any mode is accepted. */
  readonly mode?: Mode | undefined;
  /** The source of the connector's orders. If it is undefined, `sourceOf` chooses the source. */
  readonly source: string | undefined;
};

/**
 * Creates a connector with a random id. `secret` must be encrypted. If it is null, the connector refuses all messages.
 * Creates nothing if there are already MAX_CONNECTORS connectors, if another connector has the source, or if the
 * organization has another mode.
 */
export function createConnector(
  tenant: Tenant<Database>,
  fields: NewConnector,
  secret: Buffer | null,
): Promise<ConnectorCreation> {
  const id = randomId();
  return inTenantTransaction(tenant, async (tenant) => {
    // Concurrent calls wait for the configuration lock, so that they can't exceed the maximum number of connectors.
    await lockConfiguration(tenant);
    const { mode } = await readOrganization(tenant);
    if (fields.mode !== undefined && fields.mode !== mode) return { kind: 'wrong-mode', mode };
    const taken = await findSources(tenant);
    if (taken.length >= MAX_CONNECTORS) return { kind: 'too-many' };
    const source = sourceOf(fields.kind, fields.source, taken);
    if (source === undefined) return { kind: 'source-taken' };
    await insertConnector(tenant, id, { ...fields, source }, secret);
    return { kind: 'created', id, mode };
  });
}

const HALF = 2 ** 26;

/** Returns a random id from 1 to 2^53−1. It is combined from two numbers, because `randomInt` has at most 48 bits. */
function randomId(): ConnectorId {
  return (randomInt(2 * HALF) * HALF + randomInt(1, HALF)) as ConnectorId;
}

export type ConnectorChangeOutcome = 'changed' | 'unknown' | 'deleted';

/**
 * Changes the name or the settings of a connector. Undefined fields stay unchanged. Changes nothing if the connector is
 * unknown or deleted.
 */
export function changeConnector(
  tenant: Tenant<Database>,
  id: ConnectorId,
  { name, settings }: { readonly [Field in keyof ConnectorFields]?: ConnectorFields[Field] | undefined },
): Promise<ConnectorChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const current = await lockConnector(tenant, id);
    if (current === undefined) return 'unknown';
    if (current.isDeleted) return 'deleted';
    const changed = changedFields({ name: current.name, settings: current.settings }, { name, settings });
    if (changed !== undefined) await updateConnector(tenant, id, changed);
    return 'changed';
  });
}

export function rotateConnectorSecret(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  id: ConnectorId,
  secret: string,
): Promise<ConnectorChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const current = await lockConnector(tenant, id);
    if (current === undefined) return 'unknown';
    if (current.isDeleted) return 'deleted';
    await replaceConnectorSecret(tenant, id, secrets.seal(secret));
    return 'changed';
  });
}

/** Deletes a connector, and dismisses its pending and waiting events. Repeating the call changes nothing. */
export function deleteConnector(tenant: Tenant<Database>, id: ConnectorId): Promise<ConnectorChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const current = await lockConnector(tenant, id);
    if (current === undefined) return 'unknown';
    if (!current.isDeleted) await storeDeletion(tenant, id);
    return 'changed';
  });
}
