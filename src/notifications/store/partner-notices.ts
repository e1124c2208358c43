import { DAILY_KINDS, DAYS_BETWEEN, type NoticeKind } from '../domain/partner-email.ts';
import type { CollaboratorStatus } from '#collaborators/domain/collaborator.ts';
import type { CollaboratorId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { programFields, type ProgramFields, type StoredFields } from '#programs/store/programs.ts';
import { readTerms } from '#programs/store/program-versions.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** The notices of one kind to one collaborator, which are emailed together. */
export type DueNotices = {
  readonly collaboratorId: CollaboratorId;
  readonly kind: NoticeKind;
  readonly name: string;
  readonly email: string | null;
  readonly status: CollaboratorStatus;
  readonly isMuted: boolean;
};

/**
 * The minimum age of a notice of a daily kind before it is emailed, in seconds. Conversions that a person approves one
 * after another are then reported in one email.
 */
const GATHERING_SECONDS = 300;

/**
 * Returns up to `limit` groups of notices to send, oldest first. Announcements are last, because there can be many of
 * them. A daily kind is sent at most once in DAYS_BETWEEN days.
 */
export async function findDueNotices(
  { connection, organizationId }: Tenant<Connection>,
  limit: number,
): Promise<DueNotices[]> {
  const { rows } = await connection.query<DueNotices>(
    `select d.collaborator_id as "collaboratorId", d.kind, c.name, c.email, c.status,
       coalesce(d.kind = any (m.kinds), false) as "isMuted"
     from (
       select collaborator_id, kind, min(noted_at) as since from partner_notices
       where organization_id = $1 and sent_at is null
         and (kind <> all ($2) or noted_at <= now() - make_interval(secs => $3))
       group by 1, 2
     ) d
     join collaborators c on c.organization_id = $1 and c.id = d.collaborator_id
     left join partner_email_mutes m on m.organization_id = $1 and m.collaborator_id = d.collaborator_id
     where d.kind <> all ($2) or not exists (
       select from partner_notices p where p.organization_id = $1 and p.collaborator_id = d.collaborator_id
         and p.kind = d.kind and p.sent_at > now() - make_interval(days => $5))
     order by d.kind = 'announcement', d.since, d.collaborator_id, d.kind limit $4`,
    [organizationId, DAILY_KINDS, GATHERING_SECONDS, limit, DAYS_BETWEEN],
  );
  return rows;
}

/** Marks the waiting notices of the given groups as sent. */
export async function markNoticesSent(
  { connection, organizationId }: Tenant<Connection>,
  groups: readonly Pick<DueNotices, 'collaboratorId' | 'kind'>[],
): Promise<void> {
  await connection.query(
    `update partner_notices n set sent_at = now()
     from unnest($2::bigint[], $3::text[]) as g (collaborator_id, kind)
     where n.organization_id = $1 and n.collaborator_id = g.collaborator_id and n.kind = g.kind and n.sent_at is null`,
    [organizationId, groups.map(({ collaboratorId }) => collaboratorId), groups.map(({ kind }) => kind)],
  );
}

/**
 * Marks all waiting notices of an organization as sent without sending them, because its portal is closed. Clicks
 * before this time cause no email about a first click.
 */
export async function dropWaitingNotices({ connection, organizationId }: Tenant<Connection>): Promise<void> {
  await connection.query('update partner_emails set clicks_since = now() where organization_id = $1', [organizationId]);
  await connection.query('update partner_notices set sent_at = now() where organization_id = $1 and sent_at is null', [
    organizationId,
  ]);
}

/** The conversions in a collaborator's waiting notices that have the same currency and the same reason. */
export type NoticedConversions = {
  readonly collaboratorId: CollaboratorId;
  readonly count: number;
  readonly amount: Minor;
  readonly currency: string;
  /** The reason for the rejection: `refunded`, `corrected`, or the text of the person who rejected the conversions. */
  readonly reason: string | null;
  readonly byHand: boolean;
};

/**
 * Returns the conversions in the waiting notices of one kind, without conversions whose status no longer matches the
 * kind. The amount of a rejected conversion is its awarded amount.
 */
export async function readNoticedConversions(
  { connection, organizationId }: Tenant<Connection>,
  kind: 'first-sale' | 'approved' | 'rejected',
  collaboratorIds: readonly CollaboratorId[],
): Promise<NoticedConversions[]> {
  if (collaboratorIds.length === 0) return [];
  const { rows } = await connection.query<Omit<NoticedConversions, 'amount'> & { readonly amount: string }>(
    `select n.collaborator_id as "collaboratorId", count(*)::integer as count,
       sum(case when $2 = 'rejected' then c.awarded else c.amount end)::text as amount, c.currency, c.reason,
       c.rejected_by is not null as "byHand"
     from partner_notices n
     cross join lateral (
       select * from conversions c where c.organization_id = $1 and c.id = n.subject_id offset 0
     ) c
     where n.organization_id = $1 and n.kind = $2 and n.sent_at is null and n.collaborator_id = any ($3::bigint[])
       and case $2 when 'first-sale' then c.status <> 'rejected' else c.status = $2 end
     group by 1, c.currency, c.reason, 6 order by 1, count(*) desc, c.currency, c.reason`,
    [organizationId, kind, collaboratorIds],
  );
  return rows.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) as Minor }));
}

export type NoticedRejection = { readonly collaboratorId: CollaboratorId; readonly reason: string | null };

/** Returns the merchant's reason for the rejection of each given applicant who is still rejected. */
export async function readNoticedRejections(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorIds: readonly CollaboratorId[],
): Promise<NoticedRejection[]> {
  if (collaboratorIds.length === 0) return [];
  const { rows } = await connection.query<NoticedRejection>(
    `select id as "collaboratorId", rejection_reason as reason from collaborators
     where organization_id = $1 and id = any ($2::bigint[]) and status = 'rejected'`,
    [organizationId, collaboratorIds],
  );
  return rows;
}

export type NoticedPayout = {
  readonly collaboratorId: CollaboratorId;
  readonly amount: Minor;
  readonly currency: string;
  readonly paidAt: Date;
};

/** Returns the payouts in the waiting notices. Skips payouts that are no longer marked as paid. */
export async function readNoticedPayouts(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorIds: readonly CollaboratorId[],
): Promise<NoticedPayout[]> {
  if (collaboratorIds.length === 0) return [];
  const { rows } = await connection.query<Omit<NoticedPayout, 'amount'> & { readonly amount: string }>(
    `select n.collaborator_id as "collaboratorId", p.amount::text as amount, p.currency, p.paid_at as "paidAt"
     from partner_notices n join payouts p on p.organization_id = $1 and p.id = n.subject_id
     where n.organization_id = $1 and n.kind = 'paid' and n.sent_at is null and n.collaborator_id = any ($2::bigint[])
       and p.status = 'paid'
     order by p.id`,
    [organizationId, collaboratorIds],
  );
  return rows.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) as Minor }));
}

export type FailedPayout = {
  readonly collaboratorId: CollaboratorId;
  /** The amount that is payable again. */
  readonly amount: Minor;
  readonly currency: string;
  readonly reason: string;
};

/**
 * Returns the failed payouts in the waiting notices. The amount of a failed payout is 0, so the amount that is payable
 * again is read from the ledger.
 */
export async function readFailedPayouts(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorIds: readonly CollaboratorId[],
): Promise<FailedPayout[]> {
  if (collaboratorIds.length === 0) return [];
  const { rows } = await connection.query<Omit<FailedPayout, 'amount'> & { readonly amount: string }>(
    `select n.collaborator_id as "collaboratorId", p.currency, p.failure as reason, (
       select coalesce(sum(case e.debit when 'in-payout' then e.amount else -e.amount end), 0)
       from ledger_entries e where e.organization_id = $1 and e.payout_id = p.id and e.kind = 'release'
     )::text as amount
     from partner_notices n join payouts p on p.organization_id = $1 and p.id = n.subject_id
     where n.organization_id = $1 and n.kind = 'payout-failed' and n.sent_at is null
       and n.collaborator_id = any ($2::bigint[]) and p.failure is not null
     order by p.id`,
    [organizationId, collaboratorIds],
  );
  return rows.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) as Minor }));
}

export type NoticedProgram = {
  readonly collaboratorId: CollaboratorId;
  /** The current terms of the program. Custom rates of other collaborators are omitted. */
  readonly fields: ProgramFields;
  /** The number of changed programs of the collaborator, including programs that are not returned. */
  readonly count: number;
};

/** The maximum number of programs in an email about changed rates. */
const MAX_NOTICED_PROGRAMS = 20;

/**
 * Returns the active programs in the waiting notices about changed rates, sorted by name. For each collaborator,
 * returns at most MAX_NOTICED_PROGRAMS.
 */
export async function readNoticedPrograms(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorIds: readonly CollaboratorId[],
): Promise<NoticedProgram[]> {
  if (collaboratorIds.length === 0) return [];
  const { rows } = await connection.query<{ collaboratorId: CollaboratorId; count: number } & StoredFields>(
    `with noticed as (
       select distinct n.collaborator_id, c.program_id
       from partner_notices n
       join program_versions c on c.organization_id = $1 and c.config_version = n.subject_id
       where n.organization_id = $1 and n.kind = 'rate-changed' and n.sent_at is null and n.collaborator_id = any ($2::bigint[])
     ), ranked as materialized (
       select n.collaborator_id, v.program_id, v.version,
         count(*) over (partition by n.collaborator_id)::int as count,
         row_number() over (partition by n.collaborator_id order by v.name, v.program_id) as place
       from noticed n
       join programs p on p.organization_id = $1 and p.id = n.program_id
       join program_versions v on v.organization_id = $1 and v.program_id = p.id and v.version = p.version
       where v.status = 'active'
     ), shown as materialized (
       select * from ranked where place <= $3
     ), own as materialized (
       select s.program_id, (r ->> 'collaboratorId')::bigint as collaborator_id, jsonb_build_array(r) as rewards
       from (select distinct program_id, version from shown) s
       join program_versions v on v.organization_id = $1 and v.program_id = s.program_id and v.version = s.version
       cross join lateral jsonb_array_elements(v.collaborator_rewards) r
       where (r ->> 'collaboratorId')::bigint = any ($2::bigint[])
     )
     select s.collaborator_id as "collaboratorId", s.count, ${programFields('o.rewards')}
     from shown s
     join program_versions v on v.organization_id = $1 and v.program_id = s.program_id and v.version = s.version
     left join own o on o.program_id = s.program_id and o.collaborator_id = s.collaborator_id
     order by s.collaborator_id, s.place`,
    [organizationId, collaboratorIds, MAX_NOTICED_PROGRAMS],
  );
  return rows.map(({ collaboratorId, count, ...fields }) => ({ collaboratorId, count, fields: readTerms(fields) }));
}
