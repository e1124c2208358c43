import { addressOf } from '#access/domain/person.ts';
import { endPortalSessions } from '#access/store/sessions.ts';
import type { CollaboratorStatus, FraudReview } from '../domain/collaborator.ts';
import type { CollaboratorId, ConfigVersion, UserId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type CollaboratorFields = {
  readonly name: string;
  readonly email: string | null;
  readonly nickname: string | null;
  readonly status: CollaboratorStatus;
  readonly userId: UserId | null;
  readonly tags: readonly string[];
  readonly fraudReview: FraudReview;
  /** The merchant's reason for rejecting the collaborator. */
  readonly rejectionReason: string | null;
};

/**
 * Returns the current fields of a collaborator, or undefined if the id is unknown. While this transaction has the
 * configuration lock, other transactions can't change the fields.
 */
export async function findCollaboratorFields(
  { connection, organizationId }: Tenant<Connection>,
  id: CollaboratorId,
): Promise<CollaboratorFields | undefined> {
  const { rows } = await connection.query<CollaboratorFields>(
    `select name, email, nickname, status, user_id as "userId", tags, fraud_review as "fraudReview",
       rejection_reason as "rejectionReason"
     from collaborators where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
  return rows[0];
}

/**
 * Returns the current fields of a collaborator, or undefined if the id is unknown. Prevents changes and erasure of the
 * collaborator until the transaction ends. If a change is in progress, waits for it and returns its result.
 */
export async function lockCollaboratorShared(
  tenant: Tenant<Connection>,
  id: CollaboratorId,
): Promise<CollaboratorFields | undefined> {
  await tenant.connection.query('select from collaborators where organization_id = $1 and id = $2 for share', [
    tenant.organizationId,
    id,
  ]);
  return findCollaboratorFields(tenant, id);
}

/**
 * Locks a collaborator for an erasure. Waits for transactions that called `lockCollaboratorShared`, so that later
 * statements see their changes.
 */
export async function lockCollaborator(
  { connection, organizationId }: Tenant<Connection>,
  id: CollaboratorId,
): Promise<void> {
  await connection.query('select from collaborators where organization_id = $1 and id = $2 for no key update', [
    organizationId,
    id,
  ]);
}

/** Returns the current names of collaborators, including deleted collaborators. */
export async function findCollaboratorNames(
  { connection, organizationId }: Tenant,
  ids: readonly CollaboratorId[],
): Promise<Map<CollaboratorId, string>> {
  const { rows } = await connection.query<{ id: CollaboratorId; name: string }>(
    'select id, name from collaborators where organization_id = $1 and id = any ($2::bigint[])',
    [organizationId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the names and email addresses of the collaborators in `ids` that have an email address. */
export async function findCollaboratorAddresses(
  { connection, organizationId }: Tenant,
  ids: readonly CollaboratorId[],
): Promise<{ readonly name: string; readonly email: string }[]> {
  const { rows } = await connection.query<{ name: string; email: string }>(
    `select name, email from collaborators
     where organization_id = $1 and id = any ($2::bigint[]) and email is not null order by id`,
    [organizationId, ids],
  );
  return rows;
}

export async function insertCollaborator(
  { connection, organizationId }: Tenant<Connection>,
  { name, email, nickname, status, userId, tags, fraudReview }: Omit<CollaboratorFields, 'rejectionReason'>,
): Promise<CollaboratorId> {
  const { rows } = await connection.query<{ id: CollaboratorId }>(
    `insert into collaborators (organization_id, name, email, nickname, status, user_id, tags, fraud_review)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [organizationId, name, email, nickname, status, userId, tags, fraudReview],
  );
  return (rows[0] as { id: CollaboratorId }).id;
}

export async function updateCollaborator(
  { connection, organizationId }: Tenant<Connection>,
  id: CollaboratorId,
  { name, email, nickname, status, userId, tags, fraudReview, rejectionReason }: CollaboratorFields,
): Promise<void> {
  await connection.query(
    `update collaborators set name = $3, email = $4, nickname = $5, status = $6, user_id = $7, tags = $8,
       fraud_review = $9, rejection_reason = $10, updated_at = now()
     where organization_id = $1 and id = $2`,
    [organizationId, id, name, email, nickname, status, userId, tags, fraudReview, rejectionReason],
  );
}

/**
 * Returns the statuses of the existing collaborators in `ids`. While this transaction has the configuration lock, the
 * statuses can't change.
 */
export async function findCollaboratorStatuses(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly CollaboratorId[],
): Promise<Map<CollaboratorId, CollaboratorStatus>> {
  const { rows } = await connection.query<{ id: CollaboratorId; status: CollaboratorStatus }>(
    'select id, status from collaborators where organization_id = $1 and id = any($2::bigint[])',
    [organizationId, ids],
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/**
 * Ends all portal sessions of the given collaborators, and deletes all login and sign-up links emailed to them. Sign-up
 * links are included, because confirming a sign-up also logs in. Requires the configuration lock. Call it before an
 * email address changes, because sign-up links are found by address.
 */
export async function endPortalAccess(tenant: Tenant<Connection>, ids: readonly CollaboratorId[]): Promise<void> {
  await endPortalSessions(tenant, ids);
  const { connection, organizationId } = tenant;
  const { rows } = await connection.query<{ email: string }>(
    'select email from collaborators where organization_id = $1 and id = any ($2::bigint[]) and email is not null',
    [organizationId, ids],
  );
  await connection.query(
    'delete from entry_links where organization_id = $1 and (collaborator_id = any ($2::bigint[]) or address = any ($3))',
    [organizationId, ids, rows.map(({ email }) => addressOf(email))],
  );
}

export async function updateCollaboratorStatuses(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly CollaboratorId[],
  status: CollaboratorStatus,
  rejectionReason: string | null,
): Promise<void> {
  await connection.query(
    `update collaborators set status = $3, rejection_reason = $4, updated_at = now()
     where organization_id = $1 and id = any($2::bigint[])`,
    [organizationId, ids, status, rejectionReason],
  );
}

/**
 * Records the current status, user id and fraud review of collaborators under the configuration version that changed
 * them. Decisions depend on these fields.
 */
export async function insertCollaboratorVersions(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly CollaboratorId[],
  configVersion: ConfigVersion,
): Promise<void> {
  await connection.query(
    `insert into collaborator_versions (organization_id, collaborator_id, config_version, status, user_id, fraud_review)
     select organization_id, id, $3, status, user_id, fraud_review from collaborators
     where organization_id = $1 and id = any($2::bigint[])`,
    [organizationId, ids, configVersion],
  );
}

/** Returns the collaborators that currently have the given user id. */
export async function findCollaboratorsOfUser(
  { connection, organizationId }: Tenant,
  userId: UserId,
): Promise<CollaboratorId[]> {
  const { rows } = await connection.query<{ id: CollaboratorId }>(
    'select id from collaborators where organization_id = $1 and user_id = $2 order by id',
    [organizationId, userId],
  );
  return rows.map(({ id }) => id);
}

/** Returns the current and former user ids of a collaborator. */
export async function findUserIds({ connection, organizationId }: Tenant, id: CollaboratorId): Promise<UserId[]> {
  const { rows } = await connection.query<{ userId: UserId }>(
    `select distinct user_id as "userId" from collaborator_versions
     where organization_id = $1 and collaborator_id = $2 and user_id is not null order by 1`,
    [organizationId, id],
  );
  return rows.map(({ userId }) => userId);
}

/** Removes the user ids from all versions of a collaborator. Erase the visitors with the user ids first. */
export async function forgetUserIds(
  { connection, organizationId }: Tenant<Connection>,
  id: CollaboratorId,
): Promise<void> {
  await connection.query(
    `update collaborator_versions set user_id = null
     where organization_id = $1 and collaborator_id = $2 and user_id is not null`,
    [organizationId, id],
  );
}
