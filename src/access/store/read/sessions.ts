import type { SessionId } from '#core/ids.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type SessionResource = {
  readonly id: SessionId;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly userAgent: string | null;
};

type Row = SessionResource & { readonly personId: unknown; readonly collaboratorId: unknown };

/** All valid sessions except previews. Queries must filter by a person or collaborator. */
export const sessions: Relation<Row, SessionResource> = {
  query: `
    select organization_id, id, person_id as "personId", collaborator_id as "collaboratorId",
      created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt", user_agent as "userAgent"
    from sessions where idle_until > now() and previewed_from is null`,
  key: 'id',
  sorts: { id: 'bigint' },
  read: ({ id, createdAt, lastSeenAt, expiresAt, userAgent }) => ({ id, createdAt, lastSeenAt, expiresAt, userAgent }),
};
