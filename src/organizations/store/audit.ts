import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** A change to record in the audit log. Callers must remove secrets from the JSON texts. */
export type AuditEntry = {
  /** The name of the key, person or other author, such as `key 3`. */
  readonly author: string;
  /** The operation's id in the table of operations. */
  readonly operation: string;
  /** The path without the query, and without the prefix at which the service is mounted. */
  readonly path: string;
  /** The request body as JSON. A long body is replaced by its length. */
  readonly request: string | null;
  /** The resource before the change, as JSON. */
  readonly before: string | null;
  /** The response body, as JSON. */
  readonly after: string | null;
};

/**
 * Writes an audit record in the transaction of its change. The table allows inserts only, except for an erasure: see
 * `emptyAudit`.
 */
export async function insertAuditEntry(
  { connection, organizationId }: Tenant<Connection>,
  { author, operation, path, request, before, after }: AuditEntry,
): Promise<void> {
  await connection.query(
    `insert into audit_entries (organization_id, author, operation, path, request, before, after)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [organizationId, author, operation, path, request, before, after],
  );
}

/**
 * The maximum size of a request that an audit record stores, in bytes. The limit keeps a page of the audit log small,
 * because the page has up to a hundred audit records.
 */
export const MAX_AUDITED_REQUEST = 16_384;

/** A caller whose reads are audited. */
export type Reader = { readonly organizationId: OrganizationId; readonly author: string };

/** Records that a caller is about to read data. Never records the content. */
export async function insertReading(
  connection: Connection,
  { organizationId, author }: Reader,
  operation: string,
  path: string,
): Promise<void> {
  const entry = { author, operation, path, request: null, before: null, after: null };
  await insertAuditEntry({ connection, organizationId }, entry);
}

/**
 * Waits for changes of one resource that are in progress, and blocks new changes until the transaction ends. So the
 * resource can't change between reading it and changing it.
 */
export async function lockResource({ connection, organizationId }: Tenant<Connection>, path: string): Promise<void> {
  await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${organizationId} ${path}`]);
}

/**
 * The SQL condition for audit records about a collaborator ($2): calls with the collaborator's path, calls by the
 * collaborator, and calls that created the collaborator or moved their codes.
 */
export const AUDIT_ABOUT = `(
  path = '/v1/collaborators/' || $2 or starts_with(path, '/v1/collaborators/' || $2 || '/') or author = 'collaborator ' || $2
  or operation = 'createCollaborator' and after ->> 'id' = $2::text
  or operation = 'moveAlias' and $2::text in (before -> 0 ->> 'collaboratorId', after ->> 'collaboratorId'))`;

/**
 * Replaces the values in the bodies of all audit records about a collaborator. Keeps the ids of the resource, its
 * collaborator and its program, and its status, type and times. Replaces all other values, including user ids. The
 * author, operation, time and path stay. The database allows this update only in the transaction of an erasure, and no
 * other update.
 */
export async function emptyAudit(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
): Promise<void> {
  await connection.query(
    `update audit_entries
     set request = without_personal_values(request), before = without_personal_values(before),
       after = without_personal_values(after)
     where organization_id = $1 and ${AUDIT_ABOUT}`,
    [organizationId, String(collaboratorId)],
  );
}
