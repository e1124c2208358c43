import { DIGEST_HOUR, type DigestDay, type DigestFrequency, type WaitingCounts } from '../domain/digest.ts';
import { WAITING_REVIEW } from '#attribution/store/read/conversions.ts';
import type { OrganizationId, PersonId } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * SQL for the frequency of a person `p` with the optional row `d` of `person_digests`. By default, viewers get no
 * digest, because they can't act on the counted items.
 */
const FREQUENCY = `coalesce(d.frequency, case when p.role = 'viewer' then 'never' else 'weekly' end)`;

/**
 * Returns SQL for the condition that the digest of a day is due for a person. It isn't due if the person confirmed the
 * address or changed the frequency after the day's digests were due. So digests are sent only at the fixed hour.
 */
function due(startedAt: string, frequencies: string, date: string): string {
  return `p.status = 'active' and p.confirmed_at < ${startedAt} and ${FREQUENCY} = any (${frequencies})
    and (d.person_id is null or d.changed_at < ${startedAt} and (d.sent_for is null or d.sent_for < ${date}))`;
}

/** SQL for the latest digest day of organization `o` that has begun at the time $1. */
const DAY = `
  select t.date, (t.date + make_time(${DIGEST_HOUR}, 0, 0)) at time zone o.time_zone as started_at,
    case extract(isodow from t.date) when 1 then array['daily', 'weekly'] else array['daily'] end as frequencies
  from (select ($1::timestamptz at time zone o.time_zone - interval '${DIGEST_HOUR} hours')::date as date) t`;

const JOIN = 'left join person_digests d on d.organization_id = p.organization_id and d.person_id = p.id';

export type Digesting = { readonly organizationId: OrganizationId; readonly day: DigestDay };

/** Returns the first organization after `previous` in which a person's digest is due, or undefined. */
export async function findDigesting(
  connection: Queryable,
  previous: OrganizationId,
  now: Date,
): Promise<Digesting | undefined> {
  const { rows } = await connection.query<DigestDay & { readonly id: OrganizationId }>({
    name: 'find-digesting',
    text: `
      select o.id, t.date::text as date, t.started_at as "startedAt", t.frequencies
      from organizations o cross join lateral (${DAY}) t
      where o.id > $2 and exists (
        select from people p ${JOIN} where p.organization_id = o.id and ${due('t.started_at', 't.frequencies', 't.date')})
      order by o.id limit 1`,
    values: [now, previous],
  });
  if (rows[0] === undefined) return undefined;
  const { id: organizationId, ...day } = rows[0];
  return { organizationId, day };
}

/** A person whose digest is due. */
export type DigestReader = {
  readonly id: PersonId;
  readonly name: string;
  readonly email: string;
  readonly frequency: DigestFrequency;
};

/**
 * Records up to `limit` due digests of a day as sent, and returns their readers. If another process records the same
 * digests concurrently, only one of the processes gets them.
 */
export async function claimDigests(
  { connection, organizationId }: Tenant<Connection>,
  { startedAt, frequencies, date }: DigestDay,
  limit: number,
): Promise<DigestReader[]> {
  const { rows } = await connection.query<DigestReader>(
    `with due as materialized (
       select p.id, p.name, p.email, ${FREQUENCY} as frequency
       from people p ${JOIN} where p.organization_id = $4 and ${due('$1', '$2', '$3::date')} order by p.id limit $5
     ), claimed as (
       insert into person_digests as d (organization_id, person_id, sent_for, changed_at)
       select $4, id, $3, '-infinity' from due order by id
       on conflict (organization_id, person_id) do update set sent_for = $3
         where d.sent_for is null or d.sent_for < $3::date
       returning person_id
     )
     select due.id, due.name, due.email, due.frequency from due join claimed on claimed.person_id = due.id order by due.id`,
    [startedAt, frequencies, date, organizationId, limit],
  );
  return rows;
}

/**
 * Counts the items of an organization that need an action by a person, up to `limit` of each kind. Skips commissions
 * that are approved automatically and webhooks that a person paused, because they need no action.
 */
export async function countWaiting(
  { connection, organizationId }: Tenant<Connection>,
  limit: number,
): Promise<WaitingCounts> {
  const counted = (name: string, from: string): string =>
    `(select count(*)::integer from (select from ${from} limit $2) as found) as "${name}"`;
  const { rows } = await connection.query<WaitingCounts>(
    `select ${[
      counted('applications', `collaborators where organization_id = $1 and status = 'pending' and id > 0`),
      counted(
        'commissions',
        `conversions c where c.organization_id = $1 and c.status = 'pending' and c.id > 0 and c.approve_at is null
           and not (${WAITING_REVIEW})`,
      ),
      counted(
        'fraud-reviews',
        `conversions c where c.organization_id = $1 and c.status = 'pending' and c.id > 0 and ${WAITING_REVIEW}`,
      ),
      counted('payout-reviews', `payouts where organization_id = $1 and review = 'flagged' and id > 0`),
      counted('payout-requests', 'payout_requests where organization_id = $1 and id > 0'),
      counted(
        'payouts',
        `fulfillments f join payouts p on p.organization_id = $1 and p.fulfillment_id = f.id and p.status = 'unpaid'
         where f.organization_id = $1 and f.status in ('pending', 'processing') and p.amount > 0 and p.id > 0`,
      ),
      counted(
        'webhooks',
        `webhooks where organization_id = $1 and (status = 'paused' and paused_reason <> 'by-hand'
           or status = 'active' and failing_since is not null)`,
      ),
      counted(
        'connectors',
        `connectors c where c.organization_id = $1 and c.deleted_at is null and exists (
           select from connector_events e where e.organization_id = $1 and e.connector_id = c.id
             and e.state = 'dead-lettered')`,
      ),
      counted('events', 'jobs where organization_id = $1 and dead_lettered_at is not null'),
    ].join(',\n')}`,
    [organizationId, limit],
  );
  return rows[0] as WaitingCounts;
}

export type DigestSettings = { readonly frequency: DigestFrequency; readonly addressConfirmed: boolean };

export async function readDigestSettings(
  { connection, organizationId }: Tenant,
  id: PersonId,
): Promise<DigestSettings | undefined> {
  const { rows } = await connection.query<DigestSettings>(
    `select ${FREQUENCY} as frequency, p.confirmed_at is not null as "addressConfirmed"
     from people p ${JOIN} where p.organization_id = $1 and p.id = $2 and p.status = 'active'`,
    [organizationId, id],
  );
  return rows[0];
}

/** Sets how often a person gets the digest. */
export async function saveDigestFrequency(
  { connection, organizationId }: Tenant,
  id: PersonId,
  frequency: DigestFrequency,
): Promise<void> {
  await connection.query(
    `insert into person_digests (organization_id, person_id, frequency)
     select organization_id, id, $3 from people
     where organization_id = $1 and id = $2 and status = 'active' for key share
     on conflict (organization_id, person_id) do update set frequency = $3, changed_at = now()`,
    [organizationId, id, frequency],
  );
}
