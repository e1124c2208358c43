import type { OrganizationId } from '#core/ids.ts';
import type { Queryable } from '../postgres/database.ts';

export type UsageRow = {
  readonly organizationId: OrganizationId;
  readonly bucket: Buffer;
  readonly taken: number;
  readonly lately: number;
};

/**
 * Stores this process's usage of busy buckets, and returns the usage that other processes stored for the same buckets
 * in the last seconds. Deletes this process's rows of other buckets, and rows of processes that ended without cleanup.
 * Rows that another process is deleting are skipped without waiting.
 */
export async function exchangeUsage(
  connection: Queryable,
  process: string,
  mine: readonly UsageRow[],
): Promise<(UsageRow & { readonly process: string })[]> {
  const { rows } = await connection.query<UsageRow & { readonly process: string }>({
    name: 'exchange-usage',
    text: EXCHANGE_USAGE,
    values: [
      process,
      mine.map(({ organizationId }) => organizationId),
      mine.map(({ bucket }) => bucket),
      mine.map(({ taken }) => taken),
      mine.map(({ lately }) => lately),
    ],
  });
  return rows;
}

const EXCHANGE_USAGE = `
with mine as (
  select * from unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::integer[]) as m (organization_id, bucket, taken, lately)
), said as (
  insert into rate_usage (organization_id, bucket, process, taken, lately, told_at)
  select organization_id, bucket, $1::uuid, taken, lately, now() from mine
  on conflict (organization_id, bucket, process)
  do update set taken = excluded.taken, lately = excluded.lately, told_at = excluded.told_at
), over as (
  select u.organization_id, u.bucket, u.process from rate_usage u
  where u.told_at < now() - interval '1 minute' or (u.process = $1::uuid and not exists (
    select from mine m where m.organization_id = u.organization_id and m.bucket = u.bucket))
  for update skip locked
), removed as (
  delete from rate_usage u using over o
  where u.organization_id = o.organization_id and u.bucket = o.bucket and u.process = o.process
)
select u.organization_id as "organizationId", u.bucket, u.process, u.taken, u.lately
from mine m join rate_usage u on u.organization_id = m.organization_id and u.bucket = m.bucket
where u.process <> $1::uuid and u.told_at > now() - interval '5 seconds'`;
