import type { CollaboratorId, OrganizationId, PersonId, SessionId } from '#core/ids.ts';
import { rolesWith } from '../domain/person.ts';
import { MAX_SESSIONS, PREVIEW_SECONDS, SESSION_LIFE } from '../domain/session.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { FRESH_SECONDS, type Role, type SessionHolder, type Tier } from '#core/caller.ts';

export type FoundSession = {
  readonly hash: Buffer;
  readonly sessionId: SessionId;
  readonly organizationId: OrganizationId;
  readonly personId: PersonId | null;
  readonly collaboratorId: CollaboratorId | null;
  /** The role of the person. Null for a collaborator. */
  readonly role: Role | null;
  /** Whether the session began at most FRESH_SECONDS ago. */
  readonly isFresh: boolean;
  /**
   * Whether the session is a preview, in which a person sees the portal as the collaborator sees it, but can't change
   * anything.
   */
  readonly isPreview: boolean;
  readonly tier: Tier;
  readonly opportunityKey: Buffer;
};

/**
 * Returns the currently valid sessions with the given SHA-256 hashes, together with data of their holders and
 * organizations that each request needs. Records the use of the sessions, to the minute, which restarts their idle
 * timeout. If another transaction has locked the row of a session, its use is recorded with a later request. Uses the
 * index `sessions_hash`.
 */
export async function recognizeSessions(connection: Queryable, hashes: readonly Buffer[]): Promise<FoundSession[]> {
  const { person, collaborator } = SESSION_LIFE;
  const { rows } = await connection.query<FoundSession>({
    name: 'recognize-sessions',
    text: RECOGNIZE_SESSIONS,
    values: [hashes, person.idleSeconds, collaborator.idleSeconds, FRESH_SECONDS, PREVIEWERS],
  });
  return rows;
}

/** The roles that may preview the portal. They have the scope that the operation `previewPortal` requires. */
const PREVIEWERS = rolesWith('resources:write');

const RECOGNIZE_SESSIONS = `
with found as (
  select s.* from sessions s where s.hash = any($1::bytea[]) and s.idle_until > now()
), stale as (
  select s.organization_id, s.id from sessions s
  where s.hash = any($1::bytea[]) and s.idle_until > now() and s.last_seen_at < now() - interval '1 minute'
  for no key update skip locked
), noted as (
  update sessions s set
    last_seen_at = date_trunc('minute', now()),
    idle_until = least(s.expires_at, now() + make_interval(secs => case when s.person_id is null then $3::float8 else $2 end))
  from stale t where s.organization_id = t.organization_id and s.id = t.id
  returning s.organization_id, s.person_id
), free as (
  -- Skips locked people. Their activity is recorded with a later request. Waiting would delay all requests of the
  -- batch.
  select p.organization_id, p.id from people p
  where (p.organization_id, p.id) in (select organization_id, person_id from noted)
  for no key update skip locked
), seen as (
  update people p set last_seen_at = date_trunc('minute', now())
  from free f where p.organization_id = f.organization_id and p.id = f.id
)
select f.hash, f.id as "sessionId", f.organization_id as "organizationId", f.person_id as "personId",
  f.collaborator_id as "collaboratorId", p.role,
  f.created_at > now() - make_interval(secs => $4::float8) as "isFresh",
  f.previewed_from is not null as "isPreview", g.tier, g.opportunity_key as "opportunityKey"
from found f
join organizations g on g.id = f.organization_id
left join people p on p.organization_id = f.organization_id and p.id = f.person_id and p.status = 'active'
left join collaborators c on c.organization_id = f.organization_id and c.id = f.collaborator_id and c.status in ('active', 'pending')
left join sessions b on b.organization_id = f.organization_id and b.id = f.previewed_from and b.idle_until > now()
left join people v on v.organization_id = f.organization_id and v.id = b.person_id and v.status = 'active'
  and v.role = any($5)
where p.id is not null or (c.id is not null and (f.previewed_from is null or v.id is not null))`;

export type NewSession = {
  /** The SHA-256 of the cookie's token. */
  readonly hash: Uint8Array;
  readonly userAgent: string | undefined;
};

/** Begins a session. If the holder already has MAX_SESSIONS, ends the session with the longest idle time. */
export async function insertSession(
  { connection, organizationId }: Tenant,
  holder: SessionHolder,
  { hash, userAgent }: NewSession,
): Promise<SessionId> {
  const { idleSeconds, absoluteSeconds } = SESSION_LIFE[holder.kind];
  const [personId, collaboratorId] = idsOf(holder);
  await connection.query(
    `delete from sessions where organization_id = $1 and id in (
       select id from sessions
       where organization_id = $1 and (person_id = $2 or collaborator_id = $3) and previewed_from is null
       order by last_seen_at desc, id desc offset $4)`,
    [organizationId, personId, collaboratorId, MAX_SESSIONS - 1],
  );
  const { rows } = await connection.query<{ id: SessionId }>(
    `insert into sessions (organization_id, person_id, collaborator_id, hash, user_agent, idle_until, expires_at)
     values ($1, $2, $3, $4, left($5, 255), now() + make_interval(secs => $6), now() + make_interval(secs => $7))
     returning id`,
    [organizationId, personId, collaboratorId, hash, userAgent, idleSeconds, absoluteSeconds],
  );
  return (rows[0] as { id: SessionId }).id;
}

/**
 * Begins a preview: a session in which a person sees the portal as a collaborator sees it. Ends the person's other
 * previews. Returns the end time of the preview, or undefined if the person's session `from` has ended. The preview
 * also ends when the person's session ends.
 */
export async function insertPreview(
  { connection, organizationId }: Tenant,
  collaboratorId: CollaboratorId,
  from: { readonly personId: PersonId; readonly sessionId: SessionId },
  { hash, userAgent }: NewSession,
): Promise<Date | undefined> {
  await connection.query(
    `delete from sessions where organization_id = $1 and previewed_from in (
       select id from sessions where organization_id = $1 and person_id = $2)`,
    [organizationId, from.personId],
  );
  const { rows } = await connection.query<{ expiresAt: Date }>(
    `with begun as (
       select id from sessions where organization_id = $1 and id = $3 and person_id is not null for key share
     )
     insert into sessions (organization_id, collaborator_id, previewed_from, hash, user_agent, idle_until, expires_at)
     select $1, $2, id, $4, left($5, 255), now() + make_interval(secs => $6), now() + make_interval(secs => $6) from begun
     returning expires_at as "expiresAt"`,
    [organizationId, collaboratorId, from.sessionId, hash, userAgent, PREVIEW_SECONDS],
  );
  return rows[0]?.expiresAt;
}

/** Ends a session of the holder. Returns false if the holder has no session with the given id. */
export async function endSession(
  { connection, organizationId }: Tenant,
  holder: SessionHolder,
  id: SessionId,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `delete from sessions where organization_id = $1 and id = $4 and (person_id = $2 or collaborator_id = $3)`,
    [organizationId, ...idsOf(holder), id],
  );
  return rowCount === 1;
}

/**
 * Ends the browser's previous session after a new login, even if it belongs to another person. Uses the index
 * `sessions_hash`.
 */
export async function endReplacedSession(connection: Queryable, hash: Uint8Array): Promise<void> {
  await connection.query('delete from sessions where hash = $1', [hash]);
}

/** Ends all sessions of the holder, except the session `save` if it is given. */
export async function endSessions(
  { connection, organizationId }: Tenant,
  holder: SessionHolder,
  save?: SessionId,
): Promise<void> {
  await connection.query(
    `delete from sessions
     where organization_id = $1 and (person_id = $2 or collaborator_id = $3) and id is distinct from $4`,
    [organizationId, ...idsOf(holder), save],
  );
}

/**
 * Deletes up to `limit` sessions whose idle timeout or maximum duration has passed, and returns their number. Uses the
 * index `sessions_idle`.
 */
export async function purgeSessions(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-sessions',
    text: `
      with due as materialized (
        select organization_id, id from sessions
        where idle_until < now()
        order by idle_until limit $1 for update skip locked
      )
      delete from sessions where (organization_id, id) in (select * from due)`,
    values: [limit],
  });
  return rowCount ?? 0;
}

function idsOf(holder: SessionHolder): [PersonId | null, CollaboratorId | null] {
  return holder.kind === 'person' ? [holder.personId, null] : [null, holder.collaboratorId];
}

/** Ends all sessions of the given collaborators. The caller must have the configuration lock. */
export async function endPortalSessions(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly CollaboratorId[],
): Promise<void> {
  await connection.query('delete from sessions where organization_id = $1 and collaborator_id = any ($2::bigint[])', [
    organizationId,
    ids,
  ]);
}
