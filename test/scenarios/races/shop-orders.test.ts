import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Database } from '#platform/postgres/database.ts';
import type { SentMessage } from '#test/support/connected-shop.ts';
import { type Pair, startPair } from '#test/support/pair.ts';
import { diceOf, SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import { openShop } from '#test/support/shop.ts';
import { type Referral, SHOP_SYSTEMS, type ShopSystem } from './shop-messages.ts';
import { type Expected, expectedOf, randomOrders } from './sold-order.ts';

const ORDERS_A_ROUND = 4;
const CALLERS = 8;
const COUPON = 'BO10';

/** Reads the amounts of orders from the database. Returns them by order id. */
async function ordersOf(database: Database, ids: readonly string[]): Promise<Record<string, Expected>> {
  const { rows } = await database.query<{ id: string } & Expected>(
    `select t.external_id as id, t.total, t.refunded_amount as refunded, coalesce(sum(o.amount), 0)::bigint as earned,
       case max(n.name) when 'ada' then 'link' when 'bo' then 'coupon' end as earner
     from transactions t
     left join conversions c on c.organization_id = t.organization_id and c.transaction_id = t.id
     left join collaborators n on n.organization_id = t.organization_id and n.id = c.collaborator_id
     left join obligations o on o.organization_id = c.organization_id and o.conversion_id = c.id and o.status <> 'rejected'
     where t.external_id = any ($1)
     group by t.id, t.external_id, t.total, t.refunded_amount`,
    [ids],
  );
  return Object.fromEntries(rows.map(({ id, ...amounts }) => [id, amounts]));
}

/** Returns how many of the orders are sales. The others are renewals. */
async function salesOf(database: Database, ids: readonly string[]): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from transactions where external_id = any ($1) and type = 'sale'`,
    [ids],
  );
  return rows[0]!.count;
}

/** Returns the messages in random order. About a third of the messages occur twice. */
function shuffled(messages: readonly SentMessage[], random: () => number): SentMessage[] {
  return [...messages, ...messages.filter(() => random() < 1 / 3)]
    .map((message) => ({ message, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ message }) => message);
}

describe(`messages of shops in any order, repeated and delayed, with two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let referral: Referral;
  before(async () => {
    pair = await startPair();
    const shop = openShop(pair.service);
    await shop.program({
      reward: { type: 'percent', percent: 10 },
      triggers: { 'site-visit': 1, 'coupon-applied': 1 },
      pays: ['sale', 'renewal'],
      autoApprove: true,
    });
    await shop.collaborator('ada');
    await shop.collaborator('bo', { aliases: [{ type: 'coupon', code: COUPON }] });
    referral = { trackingId: await shop.visit('ada'), coupon: COUPON };
  });
  after(() => pair.stop());

  async function connect({ kind, secret }: ShopSystem): Promise<string> {
    const { service } = pair;
    const body = { kind, name: kind, secret };
    const created = await service.request('POST', '/v1/connectors', { key: service.secretKey, body });
    assert.equal(created.status, 201, created.text);
    return `/v1/connectors/${(created.body as { id: number }).id}`;
  }

  async function deliver(path: string, messages: readonly SentMessage[], random: () => number): Promise<void> {
    const queue = [...messages];
    const caller = async (): Promise<void> => {
      for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
        const reply = await pair.post(random, `${path}/webhook`, message.body, message.headers);
        assert.equal(reply.status, 200, reply.text);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }

  for (const [index, system] of SHOP_SYSTEMS.entries()) {
    it(`result in the amounts of the shop’s orders: ${system.kind}`, async () => {
      const path = await connect(system);
      await eachRound(countRounds(200, 20), async (round, random) => {
        const ids = Array.from({ length: ORDERS_A_ROUND }, (_, n) =>
          String(10_000_000 * (index + 1) + 100 * round + n),
        );
        const orders = randomOrders(ids, diceOf(SEED + round, index), system.abilities);
        // If the cancellation of an order arrived before its payment, no order would be reported. So deliver the first two
        // messages of each canceled order first.
        const early: SentMessage[] = [];
        const messages = orders.flatMap((order) => {
          const sent = system.messagesOf(order, referral);
          if (order.isCanceled) early.push(...sent.slice(0, 2));
          return sent;
        });
        for (const message of early) await deliver(path, [message], random);
        await pair.service.settled();
        // Some messages arrive only after all other messages were processed.
        const sent = shuffled(messages, random);
        const late = Math.floor(random() * sent.length);
        await deliver(path, sent.slice(late), random);
        await pair.service.settled();
        await deliver(path, sent.slice(0, late), random);
        await pair.service.settled();
        const expected = Object.fromEntries(orders.map((order) => [order.id, expectedOf(order)]));
        const found = await ordersOf(pair.service.database, Object.keys(expected));
        assert.deepEqual(found, expected, JSON.stringify({ found, expected, orders }));
        const sold = await salesOf(pair.service.database, ids);
        const subscribed = orders.filter(({ subscription }) => subscription !== null).length;
        assert.equal(sold, subscribed === 0 ? ids.length : ids.length - subscribed + 1, 'one sale of a subscription');
      });
      await pair.isSound();
      const { pendingEvents, waitingEvents, deadLetteredEvents } = await openShop(pair.service).get<
        Record<string, number>
      >(path);
      assert.deepEqual([pendingEvents, waitingEvents, deadLetteredEvents], [0, 0, 0]);
    });
  }
});
