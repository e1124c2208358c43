import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type Pair, startPair } from '#test/support/pair.ts';
import { diceOf, SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import type { TestService } from '#test/support/service.ts';
import { type Conversion, openShop, saleBody, type Shop } from '#test/support/shop.ts';

const ROUNDS = countRounds(200, 5);
const SALES = 24;

describe(`program terms, with concurrent sales on two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let service: TestService;
  let shop: Shop;

  before(async () => {
    pair = await startPair();
    service = pair.service;
    shop = openShop(service);
  });

  after(async () => {
    await pair.isSound();
    assert.deepEqual((await replaySales(service.database)).differences, []);
    await pair.stop();
  });

  /** Reports a sale to a random process. */
  async function sell(random: () => number, sale: object): Promise<void> {
    const { status, text } = await pair.post(random, '/v1/event/sale', sale);
    assert.equal(status, 200, text);
  }

  /** Deletes a program, so that further rounds can create programs. An organization has at most 200 programs. */
  async function remove(program: number): Promise<void> {
    const { status, text } = await service.request('DELETE', `/v1/programs/${program}`, { key: service.secretKey });
    assert.equal(status, 200, text);
  }

  it('a cap is used up exactly, and never exceeded, by concurrent sales', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const dice = diceOf(SEED + round);
      const amount = 1 + dice.roll(12_000);
      const program = await shop.program({ name: `capped ${round}`, capPerPeriod: { period: 'month', amount } });
      await shop.collaborator(`cap-${round}`);
      const oid = await shop.visit(`cap-${round}`);
      await Promise.all(
        Array.from({ length: SALES }, (_, n) => sell(random, saleBody(`cap-${round}-${n}`, oid, { total: 70 }))),
      );
      await service.settled();
      const awarded = await shop.get<Conversion[]>(`/v1/conversions?programId=${program}&perPage=100`);
      const sum = awarded.reduce((all, conversion) => all + conversion.amount, 0);
      assert.equal(sum, Math.min(amount, SALES * 700), `round ${round}: a cap of ${amount}`);
      await remove(program);
    });
  });

  it('the part of a cap that a refund frees is available to the next reported sale', async () => {
    const program = await shop.program({ name: 'given back', capPerPeriod: { period: 'lifetime', amount: 1000 } });
    await eachRound(ROUNDS, async (round, random) => {
      await shop.collaborator(`back-${round}`);
      const [first, second] = [await shop.visit(`back-${round}`), await shop.visit(`back-${round}`)];
      await sell(random, saleBody(`back-${round}-a`, first));
      await shop.refund(`back-${round}-a`);
      await sell(random, saleBody(`back-${round}-b`, second));
      const amounts = (await shop.earned(`back-${round}-b`)).map(({ amount }) => amount);
      assert.deepEqual(amounts, [1000], `round ${round}`);
    });
    await remove(program);
  });

  it('a tier applies to all sales after the sale that reaches it', async () => {
    const tiers = { period: 'month', by: 'count', steps: [{ from: 10, reward: { type: 'percent', percent: 20 } }] };
    await eachRound(ROUNDS, async (round, random) => {
      const program = await shop.program({ name: `tiered ${round}`, tiers });
      await shop.collaborator(`tier-${round}`);
      const oid = await shop.visit(`tier-${round}`);
      await Promise.all(Array.from({ length: SALES }, (_, n) => sell(random, saleBody(`tier-${round}-${n}`, oid))));
      await service.settled();
      const awarded = await shop.get<Conversion[]>(`/v1/conversions?programId=${program}&perPage=100`);
      assert.deepEqual(
        awarded.map(({ amount }) => amount).sort((a, b) => a - b),
        [...Array.from({ length: 10 }, () => 1000), ...Array.from({ length: SALES - 10 }, () => 2000)],
      );
      await remove(program);
    });
  });

  it('each sale is decided with a single version of a group, even while the group is edited', async () => {
    const programs = [
      await shop.program({ name: 'north' }),
      await shop.program({ name: 'south', attribution: 'linear' }),
    ];
    const body = { name: 'Compass', rule: 'newest', programIds: programs };
    const reply = await service.request('POST', '/v1/program-groups', { key: service.secretKey, body });
    assert.equal(reply.status, 201, reply.text);
    const group = `/v1/program-groups/${(reply.body as { id: number }).id}`;
    await shop.collaborator('grouped');
    const oid = await shop.visit('grouped');
    await eachRound(ROUNDS, async (round, random) => {
      const dice = diceOf(SEED + round);
      const edits = Array.from({ length: 6 }, async () => {
        // Each edit sets a random order and rule, but the group always contains both programs.
        const programIds = dice.chance(0.5) ? programs : programs.toReversed();
        await shop.change(group, {
          rule: dice.pick(['newest', 'oldest']),
          programIds,
          name: `Compass ${dice.roll(99)}`,
        });
        await shop.change(`/v1/programs/${dice.pick(programs)}`, { description: `edit ${dice.roll(999)}` });
      });
      await Promise.all([
        ...edits,
        ...Array.from({ length: SALES }, (_, n) => sell(random, saleBody(`group-${round}-${n}`, oid))),
      ]);
    });
    await service.settled();
    const { rows } = await service.database.query<{ paid: number }>(
      `select count(c.id) as paid from transactions t
       left join conversions c on c.organization_id = t.organization_id and c.transaction_id = t.id
       where t.external_id like 'group-%' group by t.id`,
    );
    assert.equal(rows.length, ROUNDS * SALES);
    assert.deepEqual([...new Set(rows.map(({ paid }) => paid))], [1], 'one program pays for each sale');
  });
});
