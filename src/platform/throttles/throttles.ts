import type { Attempts, Throttle } from './throttle.ts';
import type { Connection, Queryable } from '../postgres/database.ts';

export type ThrottleOutcome =
  { readonly kind: 'taken' } | { readonly kind: 'refused'; readonly retryAfterSeconds: number };

/**
 * Counts an attempt. If there were too many recently, returns `refused` instead, with the seconds until the next
 * attempt is allowed, at least 1. No concurrent attempt is missed, even if it is in another process.
 */
export async function takeThrottle(
  connection: Queryable,
  { bucket, tries, seconds }: Attempts,
): Promise<ThrottleOutcome> {
  const { rowCount } = await connection.query(
    `insert into throttles as t (bucket, full_at) values ($1, clock_timestamp() + make_interval(secs => $2))
     on conflict (bucket) do update set full_at = greatest(t.full_at, clock_timestamp()) + make_interval(secs => $2)
     where t.full_at + make_interval(secs => $2) <= clock_timestamp() + make_interval(secs => $3)`,
    [bucket, seconds / tries, seconds],
  );
  if (rowCount === 1) return { kind: 'taken' };
  const { rows } = await connection.query<{ left: number }>(
    `select ceil(extract(epoch from full_at - clock_timestamp()) + $2 - $3)::integer as left from throttles where bucket = $1`,
    [bucket, seconds / tries, seconds],
  );
  return { kind: 'refused', retryAfterSeconds: Math.max(1, rows[0]?.left ?? 1) };
}

/**
 * Counts several attempts under one limit, in one statement. Returns for each attempt whether it is allowed. Earlier
 * attempts in a bucket have priority, and refused attempts don't count. The transaction must have a lock that prevents
 * other transactions from counting in these buckets.
 */
export async function takeEachThrottle(
  connection: Connection,
  buckets: readonly Uint8Array[],
  { tries, seconds }: Throttle,
): Promise<boolean[]> {
  // The bucket is read in a subquery, so each plan finds it through the primary key.
  const { rows } = await connection.query<{ place: number }>(
    `with allowed as materialized (
       select bucket, place, full_at from (
         select bucket, place, greatest(now(), (select full_at from throttles t where t.bucket = each.bucket))
           + make_interval(secs => $2) * row_number() over (partition by bucket order by place) as full_at
         from unnest($1::bytea[]) with ordinality each (bucket, place)
       ) each where full_at <= now() + make_interval(secs => $3)
     ), counted as (
       insert into throttles select bucket, max(full_at) from allowed group by bucket
       on conflict (bucket) do update set full_at = excluded.full_at
     )
     select place::integer from allowed`,
    [buckets, seconds / tries, seconds],
  );
  const allowed = new Set(rows.map(({ place }) => place));
  return buckets.map((_, index) => allowed.has(index + 1));
}

/** Subtracts one counted attempt that must not count, such as a successful login. */
export async function releaseThrottle(connection: Queryable, { bucket, tries, seconds }: Attempts): Promise<void> {
  await connection.query(`update throttles set full_at = full_at - make_interval(secs => $2) where bucket = $1`, [
    bucket,
    seconds / tries,
  ]);
}

export async function clearThrottle(connection: Queryable, { bucket }: Attempts): Promise<void> {
  await connection.query('delete from throttles where bucket = $1', [bucket]);
}

/**
 * Deletes up to `limit` buckets whose attempts no longer count, and returns their number. Uses the index
 * `throttles_full`.
 */
export async function purgeThrottles(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-throttles',
    text: `
      with due as materialized (
        select bucket from throttles where full_at < now() order by full_at limit $1 for update skip locked
      )
      delete from throttles where bucket in (select * from due)`,
    values: [limit],
  });
  return rowCount ?? 0;
}
