import { IDEMPOTENCY_KEY_HOURS } from '#core/report-key.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** A stored response, which is sent again if the same request is repeated with the same key. */
export type KeptAnswer = {
  readonly fingerprint: Buffer;
  readonly answer: Buffer;
  /** Whether `answer` is encrypted with the SecretBox. */
  readonly sealed: boolean;
};

/**
 * Locks the Idempotency-Key with the hash `keyHash` until the transaction ends. Returns false, without waiting, if
 * another transaction has locked it.
 */
export async function takeIdempotencyKey(
  { connection, organizationId }: Tenant<Connection>,
  keyHash: Buffer,
): Promise<boolean> {
  const { rows } = await connection.query<{ taken: boolean }>(
    // Use a hash of 64 bits, so that collisions are improbable. Requests with colliding keys could not run
    // concurrently.
    `select pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || encode($2, 'hex'), 0)) as taken`,
    [`idempotency ${organizationId}`, keyHash],
  );
  return (rows[0] as { taken: boolean }).taken;
}

/**
 * Returns the response stored under an Idempotency-Key, or undefined. Call it after the key was locked, in a separate
 * statement, so that it sees the committed result of the previous lock holder.
 */
export async function findKeptAnswer(
  { connection, organizationId }: Tenant<Connection>,
  keyHash: Buffer,
): Promise<KeptAnswer | undefined> {
  const { rows } = await connection.query<KeptAnswer>(
    'select fingerprint, answer, sealed from idempotency_answers where organization_id = $1 and key_hash = $2',
    [organizationId, keyHash],
  );
  return rows[0];
}

export async function keepAnswer(
  { connection, organizationId }: Tenant<Connection>,
  keyHash: Buffer,
  { fingerprint, answer, sealed }: KeptAnswer,
): Promise<void> {
  await connection.query(
    `insert into idempotency_answers (organization_id, key_hash, fingerprint, answer, sealed)
     values ($1, $2, $3, $4, $5)`,
    [organizationId, keyHash, fingerprint, answer, sealed],
  );
}

/**
 * Deletes up to `limit` expired responses, the oldest first, and returns their number. Skips rows that another process
 * is deleting. Uses the index `idempotency_answers_old`.
 */
export async function purgeIdempotency(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-idempotency',
    text: `
      with due as materialized (
        select organization_id, key_hash from idempotency_answers
        where created_at < now() - make_interval(hours => $1)
        order by created_at limit $2 for update skip locked
      )
      delete from idempotency_answers where (organization_id, key_hash) in (select * from due)`,
    values: [IDEMPOTENCY_KEY_HOURS, limit],
  });
  return rowCount ?? 0;
}
