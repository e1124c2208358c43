import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { takeEachThrottle } from '#platform/throttles/throttles.ts';
import { rowsReadBy } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';

describe('several attempts under one limit', () => {
  let service: TestService;
  let database: Database;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    ({ database } = service);
  });
  after(() => service.stop());

  const LIMIT = { tries: 3, seconds: 3_600 };
  const take = (...buckets: Buffer[]) =>
    inTransaction(database, (connection) => takeEachThrottle(connection, buckets, LIMIT));

  it('are allowed in their order until their bucket is full, and refused attempts don’t count', async () => {
    const [one, other] = [randomBytes(32), randomBytes(32)];
    assert.deepEqual(await take(one, other, one), [true, true, true]);
    assert.deepEqual(await take(one, other, one, one, other), [true, true, false, false, true]);
    assert.deepEqual(await take(other, one), [false, false]);
    const later = `update throttles set full_at = full_at - interval '20 minutes' where bucket = $1`;
    await database.query(later, [one]);
    assert.deepEqual(await take(one, one, other), [true, false, false]);
    assert.deepEqual(await take(), []);
  });

  it('read only their own buckets, regardless of the number of other buckets', async () => {
    await database.query(
      `insert into throttles select sha256(n::text::bytea), now() + interval '1 hour' from generate_series(1, 10000) n`,
    );
    const buckets = Array.from({ length: 50 }, () => randomBytes(32));
    await take(...buckets);
    const read = await rowsReadBy(database, ['throttles'], (connection) =>
      takeEachThrottle(connection, buckets, LIMIT),
    );
    assert.ok(read < 200, `${read} rows are read`);
  });
});
