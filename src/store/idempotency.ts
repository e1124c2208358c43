import type { OrganizationId } from '#domain/ids.ts';
import { IDEMPOTENCY_KEY_HOURS } from '#domain/report-key.ts';
import type { Connection, Queryable } from './database.ts';

/** An answer that is sent again to whoever sends the same POST again under its key. */
export type KeptAnswer = {
  /** Of the request that it answers. */
  readonly fingerprint: Buffer;
  readonly answer: Buffer;
  /** `answer` went through the SecretBox. */
  readonly sealed: boolean;
};

/**
 * Takes the key for this transaction, until it ends. False where another one, on any process, has it at this moment:
 * nobody waits. `keyHash` is the SHA-256 of the key.
 */
export async function takeIdempotencyKey(
  connection: Connection,
  organizationId: OrganizationId,
  keyHash: Buffer,
): Promise<boolean> {
  const { rows } = await connection.query<{ taken: boolean }>(
    // All 64 bits of the lock are the hash: two keys that meet by chance would refuse each other.
    `select pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || encode($2, 'hex'), 0)) as taken`,
    [`idempotency ${organizationId}`, keyHash],
  );
  return (rows[0] as { taken: boolean }).taken;
}

/** To be asked after the key was taken, in a statement of its own: it sees what the last holder has committed. */
export async function findKeptAnswer(
  connection: Connection,
  organizationId: OrganizationId,
  keyHash: Buffer,
): Promise<KeptAnswer | undefined> {
  const { rows } = await connection.query<KeptAnswer>(
    'select fingerprint, answer, sealed from idempotency_answers where organization_id = $1 and key_hash = $2',
    [organizationId, keyHash],
  );
  return rows[0];
}

export async function keepAnswer(
  connection: Connection,
  organizationId: OrganizationId,
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
 * Forgets up to `limit` answers whose time is over, the oldest first, and answers how many there were. Rows that another
 * process is forgetting are passed over. Leans on idempotency_answers_old.
 */
export async function purgeIdempotency(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-idempotency',
    text: `
      delete from idempotency_answers where (organization_id, key_hash) in (
        select organization_id, key_hash from idempotency_answers
        where created_at < now() - make_interval(hours => $1)
        order by created_at limit $2 for update skip locked
      )`,
    values: [IDEMPOTENCY_KEY_HOURS, limit],
  });
  return rowCount ?? 0;
}
