import type { Announcement, Audience, NewAnnouncement } from '../domain/announcement.ts';
import type { CollaboratorId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

const ANNOUNCEMENT = 'id, subject, text, program_id as "programId", tag, recipients, author, created_at as "createdAt"';

export const announcements: Relation<Announcement, Announcement> = {
  query: `select organization_id, ${ANNOUNCEMENT} from announcements`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  // The first slice is small, because a text can have MAX_ANNOUNCEMENT characters.
  firstSlice: 10,
  read: (row) => row,
};

/**
 * SQL for the partners `c` of the audience with the program $2 and the tag $3, without partners who muted
 * announcements.
 */
const AUDIENCE = `
  from collaborators c
  left join partner_email_mutes m on m.organization_id = $1 and m.collaborator_id = c.id
  where c.organization_id = $1 and c.id > 0 and c.status = 'active' and c.email is not null
    and not coalesce('announcement' = any (m.kinds), false)
    and ($3::text is null or $3 = any (c.tags))
    and ($2::bigint is null or exists (
      select from programs p
      join program_versions v on v.organization_id = $1 and v.program_id = p.id and v.version = p.version
      where p.organization_id = $1 and p.id = $2 and v.enrollment = 'everyone'
    ) or exists (
      select from enrollments e where e.organization_id = $1 and e.program_id = $2 and e.collaborator_id = c.id
        and e.until_version is null
    ))`;

/** Counts the partners to whom an announcement would be sent, up to `limit`. */
export async function countAudience(
  { connection, organizationId }: Tenant,
  { programId, tag }: Audience,
  limit: number,
): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*)::integer as count from (select ${AUDIENCE} limit $4) found`,
    [organizationId, programId, tag, limit],
  );
  return (rows[0] as { count: number }).count;
}

/** Inserts an announcement together with a notice for each partner of its audience, in one statement. */
export async function insertAnnouncement(
  { connection, organizationId }: Tenant<Connection>,
  { programId, tag, subject, text, author }: NewAnnouncement,
): Promise<Announcement> {
  const { rows } = await connection.query<Announcement>(
    `with drawn as materialized (
       select nextval(pg_get_serial_sequence('announcements', 'id')) as id
     ), noticed as (
       insert into partner_notices (organization_id, collaborator_id, kind, subject_id)
       select $1, c.id, 'announcement', (select id from drawn) ${AUDIENCE}
       returning 1
     )
     insert into announcements (organization_id, id, program_id, tag, subject, text, author, recipients)
     overriding system value
     select $1, id, $2, $3, $4, $5, $6, (select count(*) from noticed) from drawn
     returning ${ANNOUNCEMENT}`,
    [organizationId, programId, tag, subject, text, author],
  );
  return rows[0] as Announcement;
}

export type NoticedAnnouncement = Pick<Announcement, 'subject' | 'text'> & { readonly collaboratorId: CollaboratorId };

/** Returns the announcements in the waiting notices of the given collaborators. */
export async function readNoticedAnnouncements(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorIds: readonly CollaboratorId[],
): Promise<NoticedAnnouncement[]> {
  if (collaboratorIds.length === 0) return [];
  const { rows } = await connection.query<NoticedAnnouncement>(
    `select n.collaborator_id as "collaboratorId", a.subject, a.text
     from partner_notices n join announcements a on a.organization_id = $1 and a.id = n.subject_id
     where n.organization_id = $1 and n.kind = 'announcement' and n.sent_at is null
       and n.collaborator_id = any ($2::bigint[])
     order by a.id`,
    [organizationId, collaboratorIds],
  );
  return rows;
}
