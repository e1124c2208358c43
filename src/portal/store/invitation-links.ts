import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readReward, type StoredReward, storeReward } from '#programs/store/program-versions.ts';
import type { InvitationLinkState } from '../domain/invitation-link.ts';

export type InvitationLink = InvitationLinkState & {
  readonly id: number;
  readonly token: string;
  readonly programId: ProgramId;
  readonly programName: string;
  readonly currency: string;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly author: string;
  readonly createdAt: Date;
};

type Row = Omit<InvitationLink, 'reward' | 'program'> & {
  readonly reward: StoredReward | null;
  readonly programReward: Pick<StoredReward, 'type'>;
  readonly customRates: number;
};

const LINKS = `
  l.id, l.token, l.program_id as "programId", v.name as "programName", v.currency, l.note, l.tags, l.reward,
    v.reward as "programReward", coalesce(jsonb_array_length(v.collaborator_rewards), 0) as "customRates",
    (select count(*)::integer from invitation_uses u where u.organization_id = l.organization_id and u.link_id = l.id)
      as uses,
    l.max_uses as "maxUses", l.author, l.created_at as "createdAt", l.expires_at as "expiresAt",
    l.revoked_at as "revokedAt"
  from invitation_links l
  join programs p on p.organization_id = l.organization_id and p.id = l.program_id
  join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version`;

function readLink({ reward, programReward, customRates, ...row }: Row): InvitationLink {
  return { ...row, reward: reward && readReward(reward), program: { reward: programReward, customRates } };
}

export const invitationLinks: Relation<Row, InvitationLink> = {
  query: `select l.organization_id, ${LINKS}`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  read: readLink,
};

/** Returns the invitation link with the given token, in any state, or undefined. */
export async function findInvitationLink(
  { connection, organizationId }: Tenant,
  token: string,
): Promise<InvitationLink | undefined> {
  const { rows } = await connection.query<Row>(`select ${LINKS} where l.organization_id = $1 and l.token = $2`, [
    organizationId,
    token,
  ]);
  return rows[0] && readLink(rows[0]);
}

/**
 * Locks an invitation link and returns it with its current number of uses. Returns undefined if there is no such link.
 * Concurrent callers wait, so that a link is never used more often than allowed.
 */
export async function lockInvitationLink(
  { connection, organizationId }: Tenant<Connection>,
  id: number,
): Promise<InvitationLink | undefined> {
  await connection.query('select from invitation_links where organization_id = $1 and id = $2 for no key update', [
    organizationId,
    id,
  ]);
  const { rows } = await connection.query<Row>(`select ${LINKS} where l.organization_id = $1 and l.id = $2`, [
    organizationId,
    id,
  ]);
  return rows[0] && readLink(rows[0]);
}

export type NewInvitationLink = Pick<
  InvitationLink,
  'token' | 'programId' | 'note' | 'tags' | 'maxUses' | 'expiresAt' | 'reward' | 'author'
>;

export async function insertInvitationLink(
  { connection, organizationId }: Tenant<Connection>,
  { token, programId, note, tags, maxUses, expiresAt, reward, author }: NewInvitationLink,
): Promise<number> {
  const { rows } = await connection.query<{ id: number }>(
    `insert into invitation_links (organization_id, token, program_id, note, tags, max_uses, expires_at, reward, author)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [organizationId, token, programId, note, tags, maxUses, expiresAt, reward && storeReward(reward), author],
  );
  return (rows[0] as { id: number }).id;
}

/** Revokes an invitation link. Requires its lock. Repeating the call keeps the time of the first revocation. */
export async function saveRevocation({ connection, organizationId }: Tenant<Connection>, id: number): Promise<void> {
  await connection.query(
    `update invitation_links set revoked_at = now() where organization_id = $1 and id = $2 and revoked_at is null`,
    [organizationId, id],
  );
}

/**
 * Records that a collaborator joined with a link. Requires the link's lock. Returns whether this is the collaborator's
 * first use of the link. Repeating the call changes nothing.
 */
export async function insertInvitationUse(
  { connection, organizationId }: Tenant<Connection>,
  linkId: number,
  collaboratorId: CollaboratorId,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `insert into invitation_uses (organization_id, link_id, collaborator_id) values ($1, $2, $3) on conflict do nothing`,
    [organizationId, linkId, collaboratorId],
  );
  return rowCount === 1;
}
