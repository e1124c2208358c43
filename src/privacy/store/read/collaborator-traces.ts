import type { CollaboratorId } from '#core/ids.ts';
import { AUDIT_ABOUT } from '#organizations/store/audit.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readSlices } from '#platform/postgres/lists/slices.ts';

/**
 * The queries that read a collaborator's stored data. $2 is the collaborator's id as text, for searches in the paths
 * and authors of the audit log.
 */
const QUERIES = {
  codes: `
    select type, code, created_at as "createdAt", retired_at as "retiredAt" from aliases
    where organization_id = $1 and collaborator_id = $2::text::bigint order by id`,
  signUps: `
    select program_id as "programId", answers, created_at as "createdAt" from sign_ups
    where organization_id = $1 and collaborator_id = $2::text::bigint order by id`,
  agreements: `
    select version, accepted_at as "acceptedAt" from agreement_acceptances
    where organization_id = $1 and collaborator_id = $2::text::bigint order by version`,
  notes: `
    select text, author, created_at as "createdAt" from collaborator_notes
    where organization_id = $1 and collaborator_id = $2::text::bigint order by id`,
  emails: `
    select kind, subject_id as "subjectId", noted_at as "notedAt", sent_at as "sentAt" from partner_notices
    where organization_id = $1 and collaborator_id = $2::text::bigint order by noted_at, kind, subject_id`,
  emailMutes: `
    select kinds from partner_email_mutes
    where organization_id = $1 and collaborator_id = $2::text::bigint`,
  matchedSales: `
    select transaction_id as "transactionId", details from buyer_signals
    where organization_id = $1 and collaborator_id = $2::text::bigint order by transaction_id`,
  sessions: `
    select created_at as "createdAt", last_seen_at as "lastSeenAt", user_agent as "userAgent" from sessions
    where organization_id = $1 and collaborator_id = $2::text::bigint and idle_until > now() and previewed_from is null
    order by id`,
  passkeys: `
    select name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys
    where organization_id = $1 and collaborator_id = $2::text::bigint order by id`,
  changes: `
    select at, author, operation, request, before, after from audit_entries
    where organization_id = $1 and ${AUDIT_ABOUT} order by id`,
} as const;

/**
 * The stored data of a collaborator, without the collaborator's row, payout details and tax details. Each list is read
 * when it is iterated.
 */
export type CollaboratorTraces = Readonly<Record<keyof typeof QUERIES, AsyncIterable<readonly object[]>>>;

/**
 * Returns the lists of a collaborator's stored data, each in slices with the oldest rows first. Must be called in a
 * transaction. Read one list at a time.
 */
export function readCollaboratorTraces(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
): CollaboratorTraces {
  const values = [organizationId, String(collaboratorId)];
  const traces = Object.entries(QUERIES).map(([name, query]) => [name, readSlices(connection, query, values)]);
  return Object.fromEntries(traces) as CollaboratorTraces;
}
