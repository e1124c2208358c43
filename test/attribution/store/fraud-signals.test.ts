import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PATTERNS_OF_HOST } from '#attribution/store/fraud-signals.ts';
import { openDatabase } from '#platform/postgres/database.ts';
import { hostOfReferrer, includesHost, readHostPattern } from '#programs/domain/fraud-list.ts';
import { createEmptyDatabase } from '../../support/database.ts';

it('PATTERNS_OF_HOST: includes the same hosts in the same patterns as includesHost', async () => {
  const labels = ['www', 'a', 'a_b', 'example', 'co', 'uk'];
  const two = labels.flatMap((first) => labels.map((second) => `${first}.${second}`));
  const three = two.flatMap((rest) => labels.map((first) => `${first}.${rest}`));
  const hosts = [...two, ...three, 'a.www.example.co.uk', 'www.a.example.co.uk', `${'x.'.repeat(126)}x`];
  assert.ok(hosts.every((host) => hostOfReferrer(`https://${host}/`) === host));
  const patterns = [...labels, ...two, ...three].flatMap((name) =>
    [name, `*.${name}`, `${name}.*`].flatMap((each) => readHostPattern(each) ?? []),
  );
  const { url, drop } = await createEmptyDatabase();
  const database = openDatabase(url, { connections: 1 });
  try {
    const { rows } = await database.query<{ host: string; patterns: string[] }>(
      `select h.host, array_agg(p.pattern) as patterns
       from unnest($1::text[]) as h (host) cross join lateral ${PATTERNS_OF_HOST} p group by h.host`,
      [hosts],
    );
    const found = new Map(rows.map((row) => [row.host, new Set(row.patterns)]));
    for (const host of hosts) {
      const expected = patterns.filter((pattern) => includesHost(new Set([pattern]), host));
      assert.deepEqual(
        patterns.filter((pattern) => found.get(host)?.has(pattern)),
        expected,
        host,
      );
    }
  } finally {
    await database.end();
    await drop();
  }
});
