import type { CollaboratorId, OrganizationId, ProgramId } from '#domain/ids.ts';
import { TELLING_OF } from '../audit.ts';
import type { Queryable } from '../database.ts';

/** What is stored of a collaborator beside their own row and their payout details. */
export type CollaboratorTraces = {
  readonly codes: readonly {
    readonly type: string;
    readonly code: string;
    readonly createdAt: Date;
    readonly retiredAt: Date | null;
  }[];
  readonly signUps: readonly {
    readonly programId: ProgramId;
    readonly question: string | null;
    readonly answer: string | null;
    readonly createdAt: Date;
  }[];
  readonly sessions: readonly {
    readonly createdAt: Date;
    readonly lastSeenAt: Date;
    readonly userAgent: string | null;
  }[];
  readonly passkeys: readonly { readonly name: string; readonly createdAt: Date; readonly lastUsedAt: Date | null }[];
  readonly changes: readonly {
    readonly at: Date;
    readonly author: string;
    readonly operation: string;
    readonly request: unknown;
    readonly before: unknown;
    readonly after: unknown;
  }[];
};

/** $2 comes as text: the audit looks for it in paths and names. */
const QUERIES = {
  codes: `
    select type, code, created_at as "createdAt", retired_at as "retiredAt" from aliases
    where organization_id = $1 and collaborator_id = $2::text::bigint order by id`,
  signUps: `
    select program_id as "programId", question, answer, created_at as "createdAt" from sign_ups
    where organization_id = $1 and collaborator_id = $2::text::bigint order by id`,
  sessions: `
    select created_at as "createdAt", last_seen_at as "lastSeenAt", user_agent as "userAgent" from sessions
    where organization_id = $1 and collaborator_id = $2::text::bigint and idle_until > now() order by id`,
  passkeys: `
    select name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys
    where organization_id = $1 and collaborator_id = $2::text::bigint order by id`,
  changes: `
    select at, author, operation, request, before, after from audit_entries
    where organization_id = $1 and ${TELLING_OF} order by id`,
} as const satisfies Record<keyof CollaboratorTraces, string>;

/** Everything, in the order in which it came. */
export async function readCollaboratorTraces(
  connection: Queryable,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
): Promise<CollaboratorTraces> {
  const traces: [string, unknown[]][] = [];
  for (const [name, query] of Object.entries(QUERIES)) {
    const { rows } = await connection.query<Record<string, unknown>>(query, [organizationId, String(collaboratorId)]);
    traces.push([name, rows]);
  }
  return Object.fromEntries(traces) as unknown as CollaboratorTraces;
}
