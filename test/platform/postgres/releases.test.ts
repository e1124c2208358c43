import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { openCaller } from '../../support/caller.ts';
import { createEmptyDatabase } from '../../support/database.ts';
import { ENCRYPTION_KEY } from '../../support/encryption-key.ts';
import { openTill } from '../../support/payouts.ts';
import { databaseOf, listReleases } from '../../support/release.ts';
import { settled } from '../../support/service.ts';
import { openShop } from '../../support/shop.ts';
import { makeKey } from '#access/commands/found-organization.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { loadBackup } from '#platform/postgres/backup/restore.ts';
import { verify } from '#verify/verify.ts';
import { readConfig } from '#app/config.ts';
import { startService } from '#app/main.ts';

const NEWEST = readdirSync(
  join(import.meta.dirname, '..', '..', '..', 'src', 'platform', 'postgres', 'migrations'),
).length;

/**
 * The schema version of each release, and how many of its sales, leads and renewals can be replayed. Release 0.1.0 kept
 * no decision sequence.
 */
const KNOWN: Readonly<Record<string, { readonly version: number; readonly decided: number }>> = {
  '0.1.0': { version: 1, decided: 0 },
  '0.2.0': { version: 15, decided: 50 },
};

it('a database of every release is kept', () => {
  assert.deepEqual(listReleases(), Object.keys(KNOWN));
});

for (const [release, { version, decided }] of Object.entries(KNOWN)) {
  describe(`a database filled by ${release}`, () => {
    let database: Database;
    let url: string;
    let drop: () => Promise<void>;
    let kept: Sums;

    before(async () => {
      ({ url, drop } = await createEmptyDatabase());
      database = openDatabase(url, { connections: 4 });
      await loadBackup(database, databaseOf(release));
      kept = await sumsOf(database);
      assert.deepEqual(await migrate(database), { from: version, to: NEWEST });
    });

    after(async () => {
      await database.end();
      await drop();
    });

    it('a migrated database keeps every invariant, every sale and all earnings', async () => {
      assert.deepEqual((await verify(database)).breaches, []);
      assert.deepEqual(await sumsOf(database), kept);
      assert.ok(kept.sales > 30 && kept.earned > 0);
    });

    it('a migrated database replays without differences, as far as history was recorded', async () => {
      assert.deepEqual(await replaySales(database), { decided, leftOut: 0, differences: [] });
    });

    if (version === 1) {
      it('a migrated database opens its ledger with the owed amounts', async () => {
        const { rows } = await database.query<{ owed: number; entered: number }>(
          `select (select sum(amount)::bigint from obligations where status in ('draft', 'pending')) as owed,
             (select sum(amount)::bigint from ledger_entries) as entered`,
        );
        assert.ok((rows[0]?.owed ?? 0) > 0);
        assert.equal(rows[0]?.owed, rows[0]?.entered);
      });
    }

    it('a migrated database accepts visits, refunds, renewals and payout runs for earlier sales', async () => {
      const config = readConfig({ DATABASE_URL: url, PORT: '0', WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY });
      const service = await startService(config, pino({ level: 'silent' }), () => {});
      const { send: request, leave } = openCaller(service.url);
      const secretKey = await makeKey(database, undefined, 'secret', 'test');
      const told = { request, secretKey, settled: () => settled(database) };
      const shop = openShop(told);
      try {
        await shop.sell('new-1', await shop.visit('first'));
        await shop.renew('kept-22-again', 'kept-22');
        const part = { source: 'shop', externalId: 'kept-23', refundId: 'part', amount: 50 };
        const refund = await request('POST', '/v1/event/refund', { key: secretKey, body: part });
        assert.equal(refund.status, 200, refund.text);
        await shop.refund('kept-21');
        assert.ok((await shop.earned('new-1')).length > 0);
        await openTill(told).runOne();
        await told.settled();
      } finally {
        leave();
        await service.stop();
      }
      assert.deepEqual((await verify(database)).breaches, []);
      const again = await replaySales(database);
      assert.deepEqual(again, { decided: decided + 2, leftOut: 0, differences: [] });
    });
  });
}

type Sums = { readonly sales: number; readonly visits: number; readonly earned: number };

async function sumsOf(database: Database): Promise<Sums> {
  const { rows } = await database.query<Sums>(
    `select (select count(*) from transactions) as sales, (select count(*) from visits) as visits,
       (select sum(amount)::bigint from conversions where status <> 'rejected') as earned`,
  );
  return rows[0] as Sums;
}
