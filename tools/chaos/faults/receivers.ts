import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { waitUntil } from '#tools/traffic/until.ts';
import type { Load } from '../load.ts';
import type { System } from '../system.ts';
import { answerWith, type Behavior, openReceiver, type Receiver } from '#test/support/receiver.ts';

const HUGE = Buffer.alloc(10 * 2 ** 20, 'x');
const DRIP_MS = 100;

const MISCHIEF: readonly Behavior[] = [
  () => {},
  (reply) => {
    reply.writeHead(200);
    const drip = setInterval(() => reply.write('.'), DRIP_MS);
    reply.on('close', () => clearInterval(drip));
  },
  (reply) => reply.writeHead(200).end(HUGE),
  answerWith(302, { location: 'http://127.0.0.1:1/' }),
  answerWith(410),
  answerWith(429, { 'retry-after': '3600' }),
  answerWith(500),
  (reply) => reply.destroy(),
  (reply) => {
    reply.socket?.write('HTTP/1.1 200 OK\r\ncontent-le');
    reply.socket?.destroy();
  },
];
/**
 * The number of concurrent bad receivers. With a receiver of each of the nine kinds in MISCHIEF, the deliveries would
 * take longer than an iteration.
 */
const AT_ONCE = 3;
/** The longest time that one webhook's waiting deliveries may delay another webhook. */
const HELD_UP_LIMIT_SECONDS = 5;
const SETTLES_WITHIN_MS = 60_000;

/** Faults of webhook receivers: some receivers fail in different ways, while another receiver works. */
export const faults: readonly Fault[] = [
  {
    name: 'bad-receivers',
    what: 'Three webhook receivers don’t respond, respond slowly or with 10 MB, redirect, return 410, 429 or 500, or close early for 3 to 8 s: another receiver gets all messages in time, and in the end every receiver has all messages',
    iterations: { short: 1, full: 5 },
    system: { settings: { WEBHOOKS_PRIVATE_ADDRESSES: 'true' } },
    healsWithinMs: 3_000,
    run: async (system, dice, load) => {
      const good = await listen(load);
      const bad = await Promise.all(Array.from({ length: AT_ONCE }, () => listen(load, dice.pick(MISCHIEF))));
      try {
        const end = performance.now() + 3_000 + dice.roll(5_000);
        while (performance.now() < end) {
          await checkDelay(system, good);
          await delay(100);
        }
        for (const { receiver, webhookId } of bad) {
          receiver.behave(answerWith(204));
          // Pause and resume the webhook, as a merchant does after fixing a receiver, so that the next attempts start
          // now.
          await setStatus(load, webhookId, 'paused');
          await setStatus(load, webhookId, 'active');
        }
        await untilAllDelivered(system, load, [good, ...bad]);
      } finally {
        for (const { receiver, webhookId } of [good, ...bad]) {
          await setStatus(load, webhookId, 'paused');
          await receiver.close();
        }
      }
    },
  },
];

type Listener = { readonly receiver: Receiver; readonly webhookId: number };

async function listen(load: Load, behavior?: Behavior): Promise<Listener> {
  const receiver = await openReceiver(behavior);
  const body = { url: receiver.url, events: ['transaction.created'] };
  const answer = await load.insist({ path: '/webhooks', body });
  if (answer.status !== 201) throw new Error(`The webhook was not created: ${answer.text}.`);
  return { receiver, webhookId: (JSON.parse(answer.text) as { id: number }).id };
}

async function setStatus(load: Load, webhookId: number, status: 'active' | 'paused'): Promise<void> {
  const answer = await load.insist({ method: 'PATCH', path: `/webhooks/${webhookId}`, body: { status } });
  if (answer.status !== 200) throw new Error(`The webhook is not ${status}: ${answer.text}.`);
}

async function checkDelay({ database }: System, { webhookId }: Listener): Promise<void> {
  const { rows } = await database.query<{ late: number }>(
    `select coalesce(max(extract(epoch from now() - m.created_at)), 0)::float8 as late
     from webhook_deliveries d
     join webhook_messages m on m.organization_id = d.organization_id and m.id = d.message_id
     where d.webhook_id = $1 and d.status = 'pending'`,
    [webhookId],
  );
  const late = rows[0]?.late ?? 0;
  if (late > HELD_UP_LIMIT_SECONDS)
    throw new Error(`A working receiver waits for ${late} s because other receivers fail.`);
}

/**
 * Waits until every delivery of the messages up to now counts as delivered. The load continues. Throws an error if a
 * receiver did not get a message that counts as delivered.
 */
async function untilAllDelivered({ database }: System, { shop }: Load, listeners: readonly Listener[]): Promise<void> {
  const { rows } = await database.query<{ last: number }>(
    'select coalesce(max(id), 0) as last from webhook_messages where organization_id = $1',
    [shop.organizationId],
  );
  const last = rows[0]?.last ?? 0;
  await waitUntil(
    async () => {
      const { rows: left } = await database.query<{ n: number }>(
        `select count(*) as n from webhook_deliveries
         where organization_id = $1 and message_id <= $2 and status <> 'delivered'`,
        [shop.organizationId, last],
      );
      return left[0]?.n === 0;
    },
    'every receiver has all messages',
    SETTLES_WITHIN_MS,
  );
  const { rows: sent } = await database.query<{ webhookId: number; ids: number[] }>(
    `select webhook_id as "webhookId", array_agg(id) as ids from webhook_deliveries
     where organization_id = $1 and message_id <= $2 group by webhook_id`,
    [shop.organizationId, last],
  );
  for (const { receiver, webhookId } of listeners) {
    // A message contains the id of its delivery as text.
    const heard = new Set(receiver.received.map(({ body }) => (JSON.parse(body) as { deliveryId: string }).deliveryId));
    const missed = sent.find((each) => each.webhookId === webhookId)?.ids.filter((id) => !heard.has(String(id))) ?? [];
    if (missed.length > 0) throw new Error(`Deliveries ${missed.join(', ')} count as delivered, but never arrived.`);
  }
}
