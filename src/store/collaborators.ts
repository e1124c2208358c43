import type { CollaboratorStatus } from '#domain/collaborator.ts';
import type { CollaboratorId, ConfigVersion, OrganizationId, UserId } from '#domain/ids.ts';
import type { Connection, Queryable } from './database.ts';

export type CollaboratorFields = {
  readonly name: string;
  readonly email: string | null;
  readonly nickname: string | null;
  readonly status: CollaboratorStatus;
  readonly userId: UserId | null;
};

/** A collaborator's fields as they are now, or undefined. Under the configuration's lock they stay so. */
export async function findCollaboratorFields(
  connection: Connection,
  organizationId: OrganizationId,
  id: CollaboratorId,
): Promise<CollaboratorFields | undefined> {
  const { rows } = await connection.query<CollaboratorFields>(
    `select name, email, nickname, status, user_id as "userId"
     from collaborators where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
  return rows[0];
}

/** As they are called now, deleted ones too. */
export async function findCollaboratorNames(
  connection: Queryable,
  organizationId: OrganizationId,
  ids: readonly CollaboratorId[],
): Promise<Map<CollaboratorId, string>> {
  const { rows } = await connection.query<{ id: CollaboratorId; name: string }>(
    'select id, name from collaborators where organization_id = $1 and id = any ($2::bigint[])',
    [organizationId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function insertCollaborator(
  connection: Connection,
  organizationId: OrganizationId,
  { name, email, nickname, status, userId }: CollaboratorFields,
): Promise<CollaboratorId> {
  const { rows } = await connection.query<{ id: CollaboratorId }>(
    `insert into collaborators (organization_id, name, email, nickname, status, user_id)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [organizationId, name, email, nickname, status, userId],
  );
  return (rows[0] as { id: CollaboratorId }).id;
}

export async function updateCollaborator(
  connection: Connection,
  organizationId: OrganizationId,
  id: CollaboratorId,
  { name, email, nickname, status, userId }: CollaboratorFields,
): Promise<void> {
  await connection.query(
    `update collaborators set name = $3, email = $4, nickname = $5, status = $6, user_id = $7, updated_at = now()
     where organization_id = $1 and id = $2`,
    [organizationId, id, name, email, nickname, status, userId],
  );
}

/** The states of those of `ids` that there are. Under the configuration's lock they stay so. */
export async function findCollaboratorStatuses(
  connection: Connection,
  organizationId: OrganizationId,
  ids: readonly CollaboratorId[],
): Promise<Map<CollaboratorId, CollaboratorStatus>> {
  const { rows } = await connection.query<{ id: CollaboratorId; status: CollaboratorStatus }>(
    'select id, status from collaborators where organization_id = $1 and id = any($2::bigint[])',
    [organizationId, ids],
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}

export async function updateCollaboratorStatuses(
  connection: Connection,
  organizationId: OrganizationId,
  ids: readonly CollaboratorId[],
  status: CollaboratorStatus,
): Promise<void> {
  await connection.query(
    `update collaborators set status = $3, updated_at = now() where organization_id = $1 and id = any($2::bigint[])`,
    [organizationId, ids, status],
  );
}

/** Keeps what decides of collaborators under the number of the change that made it so. */
export async function insertCollaboratorVersions(
  connection: Connection,
  organizationId: OrganizationId,
  ids: readonly CollaboratorId[],
  configVersion: ConfigVersion,
): Promise<void> {
  await connection.query(
    `insert into collaborator_versions (organization_id, collaborator_id, config_version, status, user_id)
     select organization_id, id, $3, status, user_id from collaborators
     where organization_id = $1 and id = any($2::bigint[])`,
    [organizationId, ids, configVersion],
  );
}
