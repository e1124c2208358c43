import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import type { Connection } from './database.ts';

/** What somebody changed. JSON texts hold no secrets: whoever makes them leaves those out. */
export type AuditEntry = {
  /** As what a key does is signed: `key 3`. */
  readonly author: string;
  /** By its id in the table of operations. */
  readonly operation: string;
  /** Without the query, and without the path that the service is mounted at. */
  readonly path: string;
  /** The body as it was sent, JSON. */
  readonly request: string | null;
  /** The resource before the change, JSON. */
  readonly before: string | null;
  /** What was answered, JSON. */
  readonly after: string | null;
};

/** Writes an entry, in the transaction of the change that it tells. The table takes nothing else, but an erasure: see `emptyAudit`. */
export async function insertAuditEntry(
  connection: Connection,
  organizationId: OrganizationId,
  { author, operation, path, request, before, after }: AuditEntry,
): Promise<void> {
  await connection.query(
    `insert into audit_entries (organization_id, author, operation, path, request, before, after)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [organizationId, author, operation, path, request, before, after],
  );
}

/** Who reads what has to be audited. */
export type Reader = { readonly organizationId: OrganizationId; readonly author: string };

/** Writes down who has read something, before they see it; never what they saw. */
export async function insertReading(
  connection: Connection,
  { organizationId, author }: Reader,
  operation: string,
  path: string,
): Promise<void> {
  const entry = { author, operation, path, request: null, before: null, after: null };
  await insertAuditEntry(connection, organizationId, entry);
}

/**
 * Waits for the changes of one resource that are under way, and holds up new ones until the transaction ends, so that
 * what is read of it before a change is what the change changes.
 */
export async function lockResource(
  connection: Connection,
  organizationId: OrganizationId,
  path: string,
): Promise<void> {
  await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${organizationId} ${path}`]);
}

/** Which entries tell of a collaborator ($2): of calls on them, and by themselves, and the one that made them. */
export const TELLING_OF = `(
  path = '/v1/collaborators/' || $2 or starts_with(path, '/v1/collaborators/' || $2 || '/') or author = 'collaborator ' || $2
  or operation = 'createCollaborator' and after ->> 'id' = $2::text)`;

/**
 * Takes the values out of the bodies of all entries that tell of a collaborator; who did what, when and to whom stays. The
 * database lets nobody else change an entry, and this only in the transaction of an erasure.
 */
export async function emptyAudit(
  connection: Connection,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
): Promise<void> {
  await connection.query(
    `update audit_entries
     set request = without_personal_values(request), before = without_personal_values(before),
       after = without_personal_values(after)
     where organization_id = $1 and ${TELLING_OF}`,
    [organizationId, String(collaboratorId)],
  );
}
