import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Database } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';
import { type Pair, startPair } from '#test/support/pair.ts';
import { startProcess } from '#test/support/process.ts';
import { SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop } from '#test/support/shop.ts';
import { connectStripe, type Connector, signBody, type StripeEvent } from '#test/support/stripe.ts';
import { type OrderFacts, type Story, stripeStory } from './stripe-story.ts';

const CALLERS = 8;

/** Reads the type and the amounts of a story's orders from the database. Returns them by order id. */
async function ordersOf(database: Database, { orders }: Story): Promise<Record<string, OrderFacts>> {
  const { rows } = await database.query<{ id: string; type: string; total: number; refunded: number; earned: number }>(
    `select t.external_id as id, t.type, t.total, t.refunded_amount as refunded,
       coalesce((
         select sum(o.amount) from conversions c
         join obligations o on o.organization_id = c.organization_id and o.conversion_id = c.id
         where c.organization_id = t.organization_id and c.transaction_id = t.id and o.status <> 'rejected'
       ), 0)::bigint as earned
     from transactions t where t.external_id = any ($1)`,
    [Object.keys(orders)],
  );
  return Object.fromEntries(rows.map(({ id, type, total, refunded, earned }) => [id, [type, total, refunded, earned]]));
}

/** Returns the events of a story in random order. About a third of the events occur twice. */
function shuffled({ events }: Story, random: () => number): readonly StripeEvent[] {
  const sent = [...events, ...events.filter(() => random() < 1 / 3)];
  return sent
    .map((event) => ({ event, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ event }) => event);
}

async function countSettledEvents(database: Database): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'select count(*) from connector_events where settled_at is not null',
  );
  return rows[0]?.count ?? 0;
}

/** Waits until more than `before` connector events are settled. */
async function waitForSettledEvent(database: Database, before: number): Promise<void> {
  while ((await countSettledEvents(database)) <= before) continue;
}

async function prepare(service: TestService): Promise<{ connector: Connector; oid: string }> {
  const shop = openShop(service);
  await shop.program({
    reward: { type: 'percent', percent: 10 },
    pays: ['sale', 'renewal'],
    autoApprove: true,
    // The cap is never reached. Its only purpose is that the organization's events are decided in order.
    capPerPeriod: { period: 'month', amount: 1_000_000_000 },
  });
  await shop.collaborator('ada');
  return { connector: await connectStripe(service), oid: await shop.visit('ada') };
}

/** Sends the events in the given order, at most CALLERS events concurrently. */
async function sendAll(events: readonly StripeEvent[], send: (event: StripeEvent) => Promise<void>): Promise<void> {
  const queue = [...events];
  const caller = async (): Promise<void> => {
    for (let event = queue.shift(); event !== undefined; event = queue.shift()) await send(event);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

describe(`events of a connector in any order, repeated, with two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let connector: Connector;
  let oid: string;
  before(async () => {
    pair = await startPair();
    ({ connector, oid } = await prepare(pair.service));
  });
  after(() => pair.stop());

  it('result in the orders and amounts that the events describe', async () => {
    await eachRound(countRounds(200), async (round, random) => {
      const story = stripeStory(`r${round}`, oid);
      await sendAll(shuffled(story, random), async (event) => {
        const body = JSON.stringify(event);
        const headers = { 'stripe-signature': signBody(body) };
        const reply = await pair.post(random, `/v1/connectors/${connector.id}/webhook`, body, headers);
        assert.equal(reply.status, 200, reply.text);
      });
      await pair.service.settled();
      assert.deepEqual(await ordersOf(pair.service.database, story), story.orders);
    });
    await pair.isSound();
    const { pendingEvents, waitingEvents, deadLetteredEvents } = await connector.get();
    assert.deepEqual([pendingEvents, waitingEvents, deadLetteredEvents], [0, 0, 0]);
  });
});

describe(`workers that are killed while they process events (TEST_SEED=${SEED})`, () => {
  let service: TestService;
  let connector: Connector;
  let oid: string;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    ({ connector, oid } = await prepare(service));
  });
  after(() => service.stop());

  it('lose no event and count none twice', async () => {
    const start = () => startProcess({ DATABASE_URL: service.databaseUrl, WHENCE_ROLE: 'worker', PORT: '0' });
    const stories: Story[] = [];
    await eachRound(countRounds(60, 3), async (round, random) => {
      const before = await countSettledEvents(service.database);
      const worker = await start();
      for (let n = 0; n < 4; n += 1) {
        const story = stripeStory(`k${round}-${n}`, oid);
        stories.push(story);
        await sendAll(shuffled(story, random), (event) => connector.send(event));
        // Kill the worker while it works: after the first event that it settles, and before the last.
        if (n === 2) {
          await waitForSettledEvent(service.database, before);
          worker.signal('SIGKILL');
        }
      }
      await worker.exited;
    });
    const last = await start();
    await service.settled();
    for (const story of stories) assert.deepEqual(await ordersOf(service.database, story), story.orders);
    last.signal('SIGTERM');
    assert.equal(await last.exited, 0);
    assert.deepEqual((await verify(service.database)).breaches, []);
  });
});
