import { type MutableKind, PARTNER_EMAIL_KINDS, type PartnerEmailKind } from '../domain/partner-email.ts';
import type { PartnerSubscription } from '../domain/unsubscribe-token.ts';
import type { CollaboratorId, ConfigVersion, OrganizationId } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * The kinds of emails that an organization sends, and how far notices were written: up to a block of the ledger chain
 * and a configuration version.
 */
export type PartnerEmails = {
  readonly kinds: readonly PartnerEmailKind[];
  readonly blockNumber: number;
  readonly configVersion: ConfigVersion;
};

/**
 * Returns the first organization after `previous` with notices to write or to send, or undefined. An organization that
 * has opened its portal for the first time has no row in `partner_emails` yet, and counts as having notices to write.
 */
export async function findNotifying(
  connection: Queryable,
  previous: OrganizationId,
  keptDays: number,
): Promise<OrganizationId | undefined> {
  const { rows } = await connection.query<{ id: OrganizationId }>({
    name: 'find-notifying',
    text: `
      select o.id from organizations o
      left join partner_emails e on e.organization_id = o.id
      where o.id > $1 and case when e.organization_id is null
        then exists (select from portals p where p.organization_id = o.id and p.slug is not null)
        else e.config_version < o.config_version
          or exists (select from ledger_blocks b where b.organization_id = o.id and b.number > e.block_number)
          or exists (select from partner_notices n where n.organization_id = o.id and n.sent_at is null)
          or 'first-click' = any (e.kinds) and exists (select from (${firstClicksSql('o.id', 'e.clicks_since', '$2')}) f)
        end
      order by o.id limit 1`,
    values: [previous, keptDays],
  });
  return rows[0]?.id;
}

/** The number of an organization's newest collaborators for whom each step looks for a first click. */
const MAX_NEWEST_PARTNERS = 10_000;

/**
 * Returns SQL for the active collaborators who get a notice about their first click. They have an email address, have
 * no such notice yet, and were added in the last `days` days, as one of the newest MAX_NEWEST_PARTNERS. Their first
 * click was at or after `since`. Uses the indexes `collaborators_by_time` and `engagements_newest`.
 */
function firstClicksSql(organization: string, since: string, days: string): string {
  return `
    select c.id from (
      select id, email, status from collaborators
      where organization_id = ${organization} and id > 0 and created_at > now() - make_interval(days => ${days})
      order by created_at desc limit ${MAX_NEWEST_PARTNERS}
    ) c
    cross join lateral (
      select g.first_at from engagements g
      where g.organization_id = ${organization} and g.collaborator_id = c.id and g.copy_of is null and g.id > 0
      order by g.id limit 1
    ) g
    where c.email is not null and c.status = 'active' and g.first_at >= ${since}
      and not exists (select from partner_notices n where n.organization_id = ${organization}
        and n.collaborator_id = c.id and n.kind = 'first-click' and n.subject_id = 0)`;
}

/**
 * Locks the row of an organization until the transaction ends, so that one process at a time writes and sends its
 * notices. If there is no row, creates a row that skips all existing ledger entries and configuration versions. Returns
 * undefined if another process has the lock.
 */
export async function lockPartnerEmails({
  connection,
  organizationId,
}: Tenant<Connection>): Promise<PartnerEmails | undefined> {
  await insertPartnerEmails({ connection, organizationId });
  const { rows } = await connection.query<PartnerEmails>(
    `select kinds, block_number as "blockNumber", config_version as "configVersion"
     from partner_emails where organization_id = $1 for update skip locked`,
    [organizationId],
  );
  return rows[0];
}

async function insertPartnerEmails({ connection, organizationId }: Tenant<Connection>): Promise<void> {
  await connection.query(
    `insert into partner_emails (organization_id, kinds, block_number, config_version)
     select o.id, $2, coalesce((select max(number) from ledger_blocks b where b.organization_id = o.id), 0), o.config_version
     from organizations o where o.id = $1 on conflict do nothing`,
    [organizationId, PARTNER_EMAIL_KINDS],
  );
}

/** The number of blocks of the ledger chain in one step. A block has the ledger entries of about a second. */
const BLOCKS_A_STEP = 20;

/**
 * Writes notices about the next ledger entries in the chain: the first conversion of a collaborator, approved and
 * rejected conversions, paid payouts, and payouts whose payment failed. If `kinds` is empty, writes no notices and only
 * moves the position in the chain. Returns whether more ledger entries may follow.
 */
export async function noteEntries(
  { connection, organizationId }: Tenant<Connection>,
  { blockNumber }: PartnerEmails,
  kinds: readonly PartnerEmailKind[],
): Promise<boolean> {
  const { rows } = await connection.query<{ last: number; blocks: number }>(
    `select max(number) as last, count(*)::integer as blocks from (
       select number from ledger_blocks where organization_id = $1 and number > $2 order by number limit $3
     ) next`,
    [organizationId, blockNumber, BLOCKS_A_STEP],
  );
  const [{ last, blocks }] = rows as [{ last: number; blocks: number }];
  if (blocks === 0) return false;
  if (kinds.length > 0) {
    await connection.query(
      `with entry as materialized (
         select e.kind, e.credit, e.collaborator_id, e.obligation_id, e.payout_id
         from ledger_blocks b cross join lateral unnest(b.entry_ids) as i (id)
         cross join lateral (
           select * from ledger_entries e where e.organization_id = $1 and e.id = i.id offset 0
         ) e
         where b.organization_id = $1 and b.number > $2 and b.number <= $3
           and e.kind in ('award', 'approve', 'reject', 'pay', 'release')
       ), earned as materialized (
         select e.kind, e.credit, e.collaborator_id, o.conversion_id
         from entry e
         cross join lateral (
           select conversion_id from obligations o where o.organization_id = $1 and o.id = e.obligation_id offset 0
         ) o
       ), fact as (
         select collaborator_id, 'first-sale' as kind, min(conversion_id) as subject_id
         from earned where kind = 'award' group by 1
         having not exists (select from conversions c
           where c.collaborator_id = earned.collaborator_id and c.id < min(earned.conversion_id))
         union all
         select collaborator_id, 'approved', conversion_id from earned
         where kind = 'approve' or kind = 'award' and credit = 'pending'
         union all
         select collaborator_id, 'rejected', conversion_id from earned where kind = 'reject'
         union all
         select collaborator_id, 'paid', payout_id from entry where kind = 'pay'
         union all
         select p.collaborator_id, 'payout-failed', p.id
         from (select distinct payout_id from entry where kind = 'release') r
         cross join lateral (
           select * from payouts p where p.organization_id = $1 and p.id = r.payout_id offset 0
         ) p
         where p.failure is not null
       )
       insert into partner_notices (organization_id, collaborator_id, kind, subject_id)
       select distinct $1::bigint, f.collaborator_id, f.kind, f.subject_id
       from fact f join collaborators c on c.organization_id = $1 and c.id = f.collaborator_id
       where f.kind = any ($4) and c.email is not null
       on conflict do nothing`,
      [organizationId, blockNumber, last, kinds],
    );
  }
  await connection.query('update partner_emails set block_number = $2 where organization_id = $1', [
    organizationId,
    last,
  ]);
  return blocks === BLOCKS_A_STEP;
}

/**
 * Writes notices about the next configuration versions: rejected applications, and changed rates of active programs.
 * Kinds outside `kinds` get no notices. Each call handles the changed rates of at most one configuration version.
 *
 * If a program has a new reward or new tiers, each collaborator who can earn in it gets a notice, except collaborators
 * with a custom rate. A collaborator whose custom rate changed gets a notice too. Collaborators who joined with the
 * same version get none, because they had no earlier rate. Returns whether more versions may follow.
 *
 * All versions up to the current configuration version are committed, because a change locks its organization.
 */
export async function noteConfiguration(
  { connection, organizationId }: Tenant<Connection>,
  { configVersion }: PartnerEmails,
  kinds: readonly PartnerEmailKind[],
): Promise<boolean> {
  const { rows } = await connection.query<{ now: ConfigVersion; next: ConfigVersion | null }>(
    `select o.config_version as now, (
       select min(v.config_version) from program_versions v
       where v.organization_id = o.id and v.config_version > $2 and v.config_version <= o.config_version
     ) as next
     from organizations o where o.id = $1`,
    [organizationId, configVersion],
  );
  const { now = configVersion, next = null } = rows[0] ?? {};
  if (now <= configVersion) return false;
  const isMore = kinds.includes('rate-changed') && next !== null;
  const until = isMore ? next : now;
  if (isMore) await noteRatesOf({ connection, organizationId }, next);
  if (kinds.includes('application-rejected')) {
    await noteRejections({ connection, organizationId }, configVersion, until);
  }
  await connection.query('update partner_emails set config_version = $2 where organization_id = $1', [
    organizationId,
    until,
  ]);
  return isMore;
}

/**
 * Writes the notices about applicants who were rejected after `configVersion`, up to `until`. Collaborators whom the
 * merchant added get none, because they didn't apply and their address was never confirmed. Uses the index
 * `collaborator_versions_rejected`.
 */
async function noteRejections(
  { connection, organizationId }: Tenant<Connection>,
  configVersion: ConfigVersion,
  until: ConfigVersion,
): Promise<void> {
  await connection.query(
    `insert into partner_notices (organization_id, collaborator_id, kind, subject_id)
     select $1, c.id, 'application-rejected', 0
     from collaborator_versions v
     join collaborators c on c.organization_id = $1 and c.id = v.collaborator_id and c.email is not null
     where v.organization_id = $1 and v.config_version > $2 and v.config_version <= $3 and v.status = 'rejected'
       and exists (select from sign_ups s where s.organization_id = $1 and s.collaborator_id = c.id)
     on conflict do nothing`,
    [organizationId, configVersion, until],
  );
}

/** Writes the notices about the program versions of one configuration version, usually of one program. */
async function noteRatesOf(
  { connection, organizationId }: Tenant<Connection>,
  configVersion: ConfigVersion,
): Promise<void> {
  await connection.query(
    `with changed as materialized (
       select v.config_version, v.program_id, v.enrollment,
         v.reward is distinct from p.reward or v.tiers is distinct from p.tiers as is_general,
         coalesce(v.collaborator_rewards, '[]') as own, coalesce(p.collaborator_rewards, '[]') as own_before
       from program_versions v
       join program_versions p on p.organization_id = v.organization_id and p.program_id = v.program_id and p.version = v.version - 1
       where v.organization_id = $1 and v.config_version = $2 and v.status = 'active' and p.status = 'active'
     ), own as materialized (
       select v.program_id, (o ->> 'collaboratorId')::bigint as id, o -> 'reward' as reward
       from changed v cross join lateral jsonb_array_elements(v.own) o
     ), own_before as materialized (
       select v.program_id, (o ->> 'collaboratorId')::bigint as id, o -> 'reward' as reward
       from changed v cross join lateral jsonb_array_elements(v.own_before) o
     )
     insert into partner_notices (organization_id, collaborator_id, kind, subject_id)
     select distinct $1::bigint, c.id, 'rate-changed', v.config_version
     from changed v
     join collaborators c on c.organization_id = $1 and c.status = 'active' and c.email is not null
       and (v.enrollment = 'everyone' or exists (select from enrollments e where e.organization_id = $1
         and e.program_id = v.program_id and e.collaborator_id = c.id and e.until_version is null
         and e.from_version < v.config_version))
       and not exists (select from collaborator_versions n where n.organization_id = $1 and n.collaborator_id = c.id
         and n.config_version = v.config_version)
     left join own o on o.program_id = v.program_id and o.id = c.id
     left join own_before b on b.program_id = v.program_id and b.id = c.id
     where o.reward is distinct from b.reward or o.reward is null and v.is_general
     on conflict do nothing`,
    [organizationId, configVersion],
  );
}

/** Writes notices about the first clicks of collaborators who were added in the last `keptDays` days. */
export async function noteClicks({ connection, organizationId }: Tenant<Connection>, keptDays: number): Promise<void> {
  await connection.query(
    `insert into partner_notices (organization_id, collaborator_id, kind, subject_id)
     select $1::bigint, f.id, 'first-click', 0 from partner_emails e
     cross join lateral (${firstClicksSql('$1', 'e.clicks_since', '$2')}) f
     where e.organization_id = $1
     on conflict do nothing`,
    [organizationId, keptDays],
  );
}

/** Deletes up to `limit` notices that were sent more than `keptDays` days ago. Returns the number of deleted rows. */
export async function purgePartnerNotices(connection: Queryable, limit: number, keptDays: number): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from partner_notices where ctid = any (array(
       select ctid from partner_notices where sent_at < now() - make_interval(days => $2) limit $1))`,
    [limit, keptDays],
  );
  return rowCount ?? 0;
}

/** Returns the kinds of email that an organization sends. An organization without settings sends all kinds. */
export async function readPartnerEmailKinds({ connection, organizationId }: Tenant): Promise<PartnerEmailKind[]> {
  const { rows } = await connection.query<{ kinds: PartnerEmailKind[] }>(
    'select kinds from partner_emails where organization_id = $1',
    [organizationId],
  );
  return inOrder(rows[0]?.kinds ?? PARTNER_EMAIL_KINDS);
}

/**
 * Sets the kinds of email that an organization sends. Waits until the worker has finished a step for the organization.
 * Clicks from before `first-click` was turned on cause no email.
 */
export async function savePartnerEmailKinds(
  { connection, organizationId }: Tenant<Connection>,
  kinds: readonly PartnerEmailKind[],
): Promise<void> {
  await insertPartnerEmails({ connection, organizationId });
  await connection.query(
    `update partner_emails set kinds = $2, updated_at = now(),
       clicks_since = case when 'first-click' = any (kinds) then clicks_since else now() end
     where organization_id = $1`,
    [organizationId, kinds],
  );
}

/** Returns the kinds of email that a collaborator doesn't want. */
export async function readMutedKinds(
  { connection, organizationId }: Tenant,
  collaboratorId: CollaboratorId,
): Promise<MutableKind[]> {
  const { rows } = await connection.query<{ kinds: MutableKind[] }>(
    'select kinds from partner_email_mutes where organization_id = $1 and collaborator_id = $2',
    [organizationId, collaboratorId],
  );
  return rows[0]?.kinds ?? [];
}

/** Sets the kinds of email that a collaborator doesn't want. Does nothing for a collaborator who was deleted. */
export async function saveMutedKinds(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  kinds: readonly MutableKind[],
): Promise<void> {
  await connection.query(
    `insert into partner_email_mutes (organization_id, collaborator_id, kinds)
     select organization_id, id, $3 from collaborators
     where organization_id = $1 and id = $2 and status <> 'deleted' for key share
     on conflict (organization_id, collaborator_id) do update set kinds = $3`,
    [organizationId, collaboratorId, kinds],
  );
}

/** Adds one kind to the kinds that a collaborator doesn't want. */
export async function muteKind(
  connection: Queryable,
  { organizationId, collaboratorId, kind }: PartnerSubscription,
): Promise<void> {
  await connection.query(
    `insert into partner_email_mutes as m (organization_id, collaborator_id, kinds)
     select organization_id, id, array[$3::text] from collaborators
     where organization_id = $1 and id = $2 and status <> 'deleted' for key share
     on conflict (organization_id, collaborator_id) do update
       set kinds = case when $3::text = any (m.kinds) then m.kinds else m.kinds || $3::text end`,
    [organizationId, collaboratorId, kind],
  );
}

function inOrder(kinds: readonly PartnerEmailKind[]): PartnerEmailKind[] {
  return PARTNER_EMAIL_KINDS.filter((kind) => kinds.includes(kind));
}
