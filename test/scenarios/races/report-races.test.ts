import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Pair, startPair, tally } from '#test/support/pair.ts';
import { randomOf, SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import type { Reply, TestService } from '#test/support/service.ts';
import { openShop, saleBody, type Shop } from '#test/support/shop.ts';
import type { OpportunityId, OrganizationId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { createSaleReporter } from '#sales/commands/report-sales.ts';

const ROUNDS = countRounds(200);
/** The number of rounds of an expensive test. */
const FEW = countRounds(200, 8);
const MANY = Math.max(1_000, countRounds(10_000));
/** The maximum number of rounds, each with a thousand sales, until both workers must have decided some sales. */
const MOST_ROUNDS_OF_MANY = 60;
const EDITS = countRounds(200, 20);
const SHOPPERS = 8;

describe(`races with two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let service: TestService;
  let shop: Shop;
  let program: number;
  before(async () => {
    pair = await startPair({}, 'other');
    service = pair.service;
    shop = openShop(service);
    await service.database.query(`
      create table deciders (name text primary key);
      create function note_decider() returns trigger language plpgsql as $$
      begin
        insert into deciders values (current_setting('application_name')) on conflict do nothing;
        return null;
      end $$;
      create trigger explanations_decider after insert on explanations execute function note_decider()`);
    program = await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
    await shop.collaborator('bob');
  });
  after(() => pair.stop());

  const post = (random: () => number, path: string, body: unknown) => pair.post(random, `/v1/event/${path}`, body);
  const count = async (table: string, like: string): Promise<number> => {
    const { rows } = await service.database.query<{ n: number }>(
      `select count(*) as n from ${table} join transactions t on t.id = transaction_id where t.external_id like $1`,
      [like],
    );
    return rows[0]?.n ?? NaN;
  };

  it('32 identical concurrent sales are recorded as one sale, and all return 200', async () => {
    const oid = await shop.visit('ada');
    await eachRound(ROUNDS, async (round, random) => {
      const sale = saleBody(`same-${round}`, oid);
      const replies = await Promise.all(Array.from({ length: 32 }, () => post(random, 'sale', sale)));
      assert.deepEqual(tally(replies), { 200: 32 }, `round ${round}`);
    });
    await pair.isSound();
    assert.equal(await count('conversions', 'same-%'), ROUNDS);
    assert.equal(await count('transaction_lines', 'same-%'), ROUNDS);
  });

  it('exactly one of 32 concurrent sales with the same externalId and different totals succeeds, and the others get 409', async () => {
    const oid = await shop.visit('ada');
    await eachRound(ROUNDS, async (round, random) => {
      const replies = await Promise.all(
        Array.from({ length: 32 }, (_, n) => post(random, 'sale', saleBody(`rivals-${round}`, oid, { total: n + 1 }))),
      );
      assert.deepEqual(tally(replies), { 200: 1, 409: 31 }, `round ${round}`);
    });
    await pair.isSound();
    assert.equal(await count('conversions', 'rivals-%'), ROUNDS);
  });

  it('sales that are sent twice concurrently, in opposite orders, all succeed', async () => {
    const oid = await shop.visit('ada');
    await eachRound(FEW, async (round, random) => {
      const sales = Array.from({ length: 40 }, (_, n) => saleBody(`order-${round}-${n}`, oid));
      const sent = [...sales, ...sales.toReversed()].map((sale) => post(random, 'sale', sale));
      assert.deepEqual(tally(await Promise.all(sent)), { 200: 80 });
    });
    await pair.isSound();
  });

  it('a sale with concurrent refunds and decisions leaves nothing payable', async () => {
    const oid = await shop.visit('ada');
    const sellAndRefund = async (round: number): Promise<void> => {
      const random = randomOf(SEED + round);
      const sale = post(random, 'sale', saleBody(`back-${round}`, oid));
      const refund = async (): Promise<Reply> => {
        for (;;) {
          const reply = await post(random, 'refund', { source: 'shop', externalId: `back-${round}` });
          if (reply.status !== 404) return reply;
        }
      };
      // Refunds are sent at random times: before the sale is written, after it is decided, or in between.
      const refunds = Array.from({ length: 1 + Math.floor(random() * 4) }, async () => {
        for (let turn = Math.floor(random() * 40); turn > 0; turn -= 1) await new Promise(setImmediate);
        return refund();
      });
      assert.deepEqual(tally([await sale, ...(await Promise.all(refunds))]), { 200: 1 + refunds.length });
    };
    for (let start = 0; start < ROUNDS; start += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, n) => sellAndRefund(start + n)));
    }
    await pair.isSound();
    const { rows } = await service.database.query<{ status: string; owed: string; n: number }>(
      `select c.status, o.status as owed, count(*) as n from conversions c
       join transactions t on t.id = c.transaction_id join obligations o on o.conversion_id = c.id
       where t.external_id like 'back-%' group by 1, 2`,
    );
    assert.deepEqual(rows, [{ status: 'rejected', owed: 'rejected', n: ROUNDS }]);
  });

  it(`two workers decide ${MANY} sales once each`, async () => {
    const oid = await shop.visit('ada');
    await shop.sell('many-first', oid);
    await service.settled();
    await service.database.query('delete from deciders');
    const { rows } = await service.database.query<{ organization_id: OrganizationId; opportunity_id: OpportunityId }>(
      `select organization_id, opportunity_id from transactions where external_id = 'many-first'`,
    );
    const { organization_id: organizationId, opportunity_id: opportunityId } = rows[0] as (typeof rows)[number];
    // Report the sales without HTTP. This is faster than two workers can decide, so both workers find enough sales.
    const reportSales = createSaleReporter(service.database);
    const total = 10_000n as Minor;
    const lines = [{ externalId: null, name: 'Order', type: 'product', quantity: 1, amount: total, total }] as const;
    const deciders = async (): Promise<string[]> => {
      const { rows } = await service.database.query<{ name: string }>('select name from deciders order by name');
      return rows.map(({ name }) => name);
    };
    let start = 0;
    for (; start < MANY || (await deciders()).length < 2; start += 1_000) {
      assert.ok(start < 1_000 * MOST_ROUNDS_OF_MANY, 'both workers decide some sales');
      const sales = Array.from({ length: 1_000 }, (_, n) => ({
        source: 'shop',
        externalId: `many-${start + n}`,
        total,
        currency: 'USD',
        opportunityId,
        lines,
      }));
      const outcomes = await reportSales(organizationId, sales);
      assert.ok(outcomes.every(({ kind }) => kind === 'recorded'));
    }
    await pair.isSound();
    assert.deepEqual(await deciders(), ['other', 'whence']);
    assert.equal(await count('conversions', 'many-%'), start + 1);
    assert.equal(await count('explanations', 'many-%'), start + 1);
  });

  it('each sale is decided with a single version of a program, even while the program is edited', async () => {
    await eachRound(EDITS, async (round, random) => {
      const sell = async (shopper: number): Promise<void> => {
        const oid = await shop.visit(random() < 0.5 ? 'ada' : 'bob');
        assert.equal((await post(random, 'sale', saleBody(`edited-${round}-${shopper}`, oid))).status, 200);
      };
      const edit = async (): Promise<unknown> =>
        shop.change(`/v1/programs/${program}`, { reward: { type: 'percent', percent: 11 + (round % 30) } });
      const at = Math.floor(random() * SHOPPERS);
      await Promise.all(Array.from({ length: SHOPPERS }, (_, n) => (n === at ? edit() : sell(n))));
    });
    await pair.isSound();
    const { rows } = await service.database.query<{ wrong: number; versions: number }>(
      `select count(distinct c.program_version) as versions,
         count(*) filter (where v.version <> c.program_version or c.awarded <> (v.reward ->> 'ratePpm')::bigint / 100) as wrong
       from conversions c
       join transactions t on t.id = c.transaction_id and t.external_id like 'edited-%'
       join events e on e.id = t.event_id
       join lateral (select * from program_versions v where v.program_id = c.program_id and v.config_version <= e.config_version
         order by v.config_version desc limit 1) v on true`,
    );
    assert.equal(rows[0]?.wrong, 0);
    assert.ok((rows[0]?.versions ?? 0) > 1, 'some edits coincided with sales');
  });

  it('sales of opportunities that merge concurrently are all recorded and decided', async () => {
    await eachRound(FEW, async (round, random) => {
      const oids = await Promise.all(Array.from({ length: 6 }, () => shop.visit('ada')));
      const merges = oids.map((oid) => shop.visit('bob', { oid, userId: 1_000 + round }));
      const sales = oids.map((oid, n) => post(random, 'sale', saleBody(`merge-${round}-${n}`, oid)));
      const visits = oids.map((oid) => shop.visit('ada', { oid }));
      assert.deepEqual(tally(await Promise.all(sales)), { 200: 6 });
      await Promise.all([...merges, ...visits]);
    });
    await pair.isSound();
  });
});
