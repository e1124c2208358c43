import { THROTTLES, throttleBucket, type ThrottleName } from '#platform/throttles/throttle.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { ENCRYPTION_KEY } from './encryption-key.ts';
import type { TestService } from './service.ts';

/** Sets the state of a throttle as if `count` attempts had just been made. */
export async function countTries(
  { database }: Pick<TestService, 'database'>,
  name: ThrottleName,
  of: string,
  count: number,
): Promise<void> {
  const { seconds, tries } = THROTTLES[name];
  const { hashKey } = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));
  await database.query(
    `insert into throttles values ($1, clock_timestamp() + make_interval(secs => $2))
     on conflict (bucket) do update set full_at = excluded.full_at`,
    [throttleBucket(hashKey, name, of), count * (seconds / tries)],
  );
}

/** Resets all throttles, so that attempts of earlier tests don’t count. */
export async function forgetTries({ database }: Pick<TestService, 'database'>): Promise<void> {
  await database.query('delete from throttles');
}
