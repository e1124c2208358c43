import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type Delivery, openPostroom, type Postroom, SECRETS } from '#test/support/deliveries.ts';
import { answerWith, openReceiver, type Receiver } from '#test/support/receiver.ts';
import { RETRY_GAPS, RETRY_JITTER } from '#webhooks/domain/delivery.ts';
import type { DeliveryId, WebhookId } from '#core/ids.ts';
import { SECRET_BYTES, signingSecretOf } from '#webhooks/domain/webhook.ts';
import { changeWebhook } from '#webhooks/commands/change-webhook.ts';
import { inTransaction } from '#platform/postgres/database.ts';
import { KEY_BYTES, secretBox } from '#platform/crypto/secret-box.ts';
import {
  claimDeliveries,
  type ClaimedDelivery,
  KEPT_ATTEMPTS,
  KEPT_DAYS,
  LEASE_SECONDS,
  purgeMessages,
  saveAttempt,
  webhookLag,
} from '#webhooks/store/webhook-deliveries.ts';
import { MAX_IN_FLIGHT, MAX_TOTAL_IN_FLIGHT } from '#webhooks/reactions/deliver.ts';
import { lookForWork } from '#platform/worker/jobs.ts';
import { rowsReadBy } from '#test/support/database.ts';
import { repeatDeliveries, replaceSecret, updateWebhook } from '#webhooks/store/webhooks.ts';

const MANY = { limit: 100, each: MAX_IN_FLIGHT };
const NOTHING_IN_HAND = { deliveries: [], webhooks: [] };

describe('webhook deliveries', () => {
  let room: Postroom;
  let receiver: Receiver;
  let webhook: { id: WebhookId; secret: string };
  before(async () => {
    room = await openPostroom();
  });
  after(() => room.end());
  beforeEach(async () => {
    receiver = await openReceiver();
    webhook = await room.webhook(receiver.url);
  });
  afterEach(async () => {
    await receiver.close();
    await room.database.query('delete from webhook_messages');
    await room.database.query('delete from webhook_outbox');
    await room.database.query(
      `update webhooks set status = 'deleted', paused_reason = null, paused_at = null where status <> 'deleted'`,
    );
  });
  /** Sends all deliveries that are due, then stops. */
  const run = async (options: Parameters<Postroom['start']>[0] = {}): Promise<void> => {
    const deliveries = room.start(options);
    await deliveries.idle();
    await deliveries.stop();
  };
  const webhookNow = async (id = webhook.id): Promise<{ status: string; reason: string | null; failing: boolean }> => {
    const { rows } = await room.database.query<{ status: string; reason: string | null; failing: boolean }>(
      `select status, paused_reason as reason, failing_since is not null as failing from webhooks where id = $1`,
      [id],
    );
    return rows[0] as { status: string; reason: string | null; failing: boolean };
  };
  const failingFor = (interval: string): Promise<unknown> =>
    room.database.query(`update webhooks set failing_since = now() - $1::interval where status = 'active'`, [interval]);
  const resume = (): Promise<void> =>
    inTransaction(room.database, (connection) =>
      updateWebhook({ connection, organizationId: room.organizationId }, webhook.id, {
        url: receiver.url,
        description: null,
        events: null,
        status: 'active',
      }),
    );

  it('arrive once, signed, with the message body unchanged', async () => {
    const id = await room.post(webhook.id, '{"id":7,"amount":10.50}');
    await run();
    await run();
    assert.equal(receiver.received.length, 1);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    new Webhook(webhook.secret).verify(body, headers as Record<string, string>);
    assert.match(
      body,
      new RegExp(
        `^{"type":"webhook.test","timestamp":"20[^"]+Z","data":{"id":7,"amount":10\\.50},"deliveryId":"${id}"}$`,
      ),
    );
    assert.equal(headers['webhook-id'], String(id));
    assert.equal(headers['x-service-delivery'], String(id));
    assert.equal(headers['x-service-event'], 'webhook.test');
    assert.equal(headers['user-agent'], 'Whence');
    const { status, attempts } = await room.delivery(id);
    assert.deepEqual([status, attempts], ['delivered', 1]);
  });

  it('are signed with both secrets during a rotation, and with only the new secret afterwards', async () => {
    const secret = signingSecretOf(randomBytes(SECRET_BYTES));
    await replaceSecretOf(webhook.id, secret, 60);
    await room.post(webhook.id);
    await run();
    await room.database.query(`update webhooks set previous_until = now() where previous_until is not null`);
    await room.post(webhook.id);
    await run();
    const [during, afterwards] = receiver.received.map(({ headers }) => headers as Record<string, string>);
    assert.ok(during && afterwards);
    const bodies = receiver.received.map(({ body }) => body);
    new Webhook(secret).verify(bodies[0] as string, during);
    new Webhook(webhook.secret).verify(bodies[0] as string, during);
    new Webhook(secret).verify(bodies[1] as string, afterwards);
    assert.throws(() => new Webhook(webhook.secret).verify(bodies[1] as string, afterwards));
  });

  it('are retried with the same bytes at growing intervals while the receiver returns 500, and finally fail', async () => {
    receiver.behave(answerWith(500, {}, 'out of order'));
    const id = await room.post(webhook.id);
    const gaps: number[] = [];
    for (const nominal of RETRY_GAPS) {
      await run();
      const { status, dueInSeconds } = await room.delivery(id);
      assert.equal(status, 'pending');
      assert.ok(dueInSeconds !== null && dueInSeconds > nominal - 5);
      assert.ok(dueInSeconds <= nominal * (1 + RETRY_JITTER));
      gaps.push(dueInSeconds);
      await room.hasten();
    }
    await run();
    const { status, attempts, dueInSeconds } = await room.delivery(id);
    assert.deepEqual([status, attempts, dueInSeconds], ['failed', RETRY_GAPS.length + 1, null]);
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
    assert.equal(receiver.received.length, attempts);
    const { rows } = await room.database.query(
      'select distinct status_code, error, response from webhook_attempts where delivery_id = $1',
      [id],
    );
    assert.deepEqual(rows, [{ status_code: 500, error: 'the receiver returned 500', response: 'out of order' }]);
  });

  it('wait for the time that the receiver’s Retry-After requests', async () => {
    receiver.behave(answerWith(429, { 'retry-after': '300' }));
    const id = await room.post(webhook.id);
    await run();
    const { dueInSeconds } = await room.delivery(id);
    assert.ok(dueInSeconds !== null && dueInSeconds > 290 && dueInSeconds <= 300);
  });

  it('keep their id and bytes when redelivered, and restart their retries', async () => {
    const id = await room.post(webhook.id);
    await run();
    await inTransaction(room.database, (connection) =>
      repeatDeliveries({ connection, organizationId: room.organizationId }, webhook.id, [id]),
    );
    receiver.behave(answerWith(500));
    await run();
    const { status, attempts, tries } = await room.delivery(id);
    assert.deepEqual([status, attempts, tries], ['pending', 2, 1]);
    const [first, second] = receiver.received;
    assert.equal(first?.body, second?.body);
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  });

  it('are sent again if redelivery is requested during an attempt, regardless of the attempt’s result', async () => {
    for (const status of [204, 500]) {
      receiver.received.length = 0;
      let reply: (() => void) | undefined;
      receiver.behave((opened) => {
        reply = () => opened.writeHead(status).end();
      });
      const id = await room.post(webhook.id);
      // Set the counter so that the next attempt is the last before the delivery fails.
      await room.database.query('update webhook_deliveries set tries = $1 where id = $2', [RETRY_GAPS.length, id]);
      const sending = room.start();
      await receiver.got(1);
      await inTransaction(room.database, (connection) =>
        repeatDeliveries({ connection, organizationId: room.organizationId }, webhook.id, [id]),
      );
      receiver.behave(answerWith(204));
      reply?.();
      await receiver.got(2);
      await sending.stop();
      assert.equal(receiver.received[0]?.body, receiver.received[1]?.body);
      const { status: now, attempts, tries } = await room.delivery(id);
      assert.deepEqual([now, attempts, tries], ['delivered', 2, 1]);
    }
  });

  it('get all their attempts again after their paused webhook is resumed', async () => {
    const id = await room.post(webhook.id);
    await room.database.query('update webhook_deliveries set tries = $1 where id = $2', [RETRY_GAPS.length, id]);
    const { organizationId } = room;
    for (const status of ['paused', 'active'] as const) {
      assert.equal(
        (await changeWebhook({ connection: room.database, organizationId }, webhook.id, { status })).kind,
        'changed',
      );
    }
    receiver.behave(answerWith(500));
    await run();
    const { status, tries, dueInSeconds } = await room.delivery(id);
    assert.deepEqual([status, tries], ['pending', 1]);
    assert.ok(dueInSeconds !== null && dueInSeconds < 10);
  });

  it('wait after a 410 response, which pauses the webhook, and are sent once the webhook is resumed', async () => {
    receiver.behave(answerWith(410));
    const paused: unknown[] = [];
    const first = await room.post(webhook.id);
    await run({ onPaused: (...which) => paused.push(which) });
    const second = await room.post(webhook.id);
    await room.hasten();
    await run();
    assert.deepEqual(await webhookNow(), { status: 'paused', reason: 'gone', failing: true });
    assert.deepEqual(paused, [[room.organizationId, webhook.id, 'gone']]);
    assert.equal(receiver.received.length, 1);
    receiver.behave(answerWith(204));
    await resume();
    await run();
    assert.deepEqual(await statusesOf(first, second), ['delivered', 'delivered']);
    assert.deepEqual(await webhookNow(), { status: 'active', reason: null, failing: false });
  });

  it('pause their webhook after failing for three days, and other webhooks are notified', async (test) => {
    const other = await openReceiver();
    test.after(() => other.close());
    const watching = await room.webhook(other.url);
    receiver.behave(answerWith(503));
    await failingFor('2 days 23 hours');
    await room.post(webhook.id);
    await run();
    assert.equal((await webhookNow()).status, 'active');
    await failingFor('3 days');
    await room.hasten();
    await run();
    assert.deepEqual(await webhookNow(), { status: 'paused', reason: 'failing', failing: true });
    // Call `run` again, because the notice about the pause may be due only after the first call has looked for due
    // deliveries.
    await run();
    const notices = other.received.map(({ body }) => JSON.parse(body) as { type: string; data: { id: number } });
    assert.deepEqual(
      notices.map(({ type, data }) => [type, data.id]),
      [['webhook.paused', webhook.id]],
    );
    assert.equal((await webhookNow(watching.id)).status, 'active');
  });

  it('end the failing state of their webhook when one of them succeeds', async () => {
    receiver.behave(answerWith(500));
    const id = await room.post(webhook.id);
    await run();
    assert.equal((await webhookNow()).failing, true);
    receiver.behave(answerWith(204));
    await room.hasten();
    await run();
    assert.equal((await webhookNow()).failing, false);
    assert.equal((await room.delivery(id)).status, 'delivered');
  });

  it('don’t pause a webhook whose URL changed during the attempt', async () => {
    await room.post(webhook.id);
    const [claimed] = await claimDeliveries(room.database, MANY, NOTHING_IN_HAND);
    await room.database.query('update webhooks set url = $1 where id = $2', [`${receiver.url}/new`, webhook.id]);
    const { paused } = await saveAttempt(room.database, claimed as ClaimedDelivery, attempt(410), {
      delivery: { kind: 'retried', inSeconds: 5 },
      pause: 'gone',
    });
    assert.equal(paused, false);
    assert.deepEqual(await webhookNow(), { status: 'active', reason: null, failing: false });
  });

  it('are sent only once by several concurrent senders', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => room.post(webhook.id)));
    const senders = Array.from({ length: 4 }, () => room.start());
    await Promise.all(senders.map((each) => each.idle()));
    await Promise.all(senders.map((each) => each.stop()));
    // An idle sender may return while another sender is still sending, so compare only after all senders have stopped.
    const got = receiver.received.map(({ headers }) => Number(headers['webhook-id']));
    assert.deepEqual([...got].sort(byNumber), [...ids].sort(byNumber));
  });

  it('are sent by another sender when the lease of a lost sender ends, and the late result of the lost sender is only logged', async () => {
    const id = await room.post(webhook.id);
    const [lost] = await claimDeliveries(room.database, MANY, NOTHING_IN_HAND);
    const { dueInSeconds } = await room.delivery(id);
    assert.ok(dueInSeconds !== null && dueInSeconds > LEASE_SECONDS - 5 && dueInSeconds <= LEASE_SECONDS);
    await run();
    assert.equal(receiver.received.length, 0);
    await room.hasten();
    await run();
    assert.equal(receiver.received.length, 1);
    const verdict = { delivery: { kind: 'failed' }, pause: null } as const;
    await saveAttempt(room.database, lost as ClaimedDelivery, attempt(null), verdict);
    assert.equal((await room.delivery(id)).status, 'delivered');
    const { rows } = await room.database.query<{ number: number }>(
      'select number from webhook_attempts order by number',
    );
    assert.deepEqual(
      rows.map(({ number }) => number),
      [1, 2],
      'both attempts are logged',
    );
  });

  it('are not sent unsigned if the secret can’t be decrypted: they wait, and the failure is logged', async () => {
    const failures: unknown[] = [];
    const id = await room.post(webhook.id);
    await run({ secrets: secretBox(randomBytes(KEY_BYTES)), onFailure: (error) => failures.push(error) });
    assert.equal(receiver.received.length, 0);
    assert.match(String(failures[0]), /another key/);
    assert.equal((await room.delivery(id)).status, 'pending');
    const { rows } = await room.database.query<{ error: string }>('select error from webhook_attempts');
    assert.match(rows[0]?.error ?? '', /WHENCE_ENCRYPTION_KEY/);
  });

  it('keep the log of their newest 30 attempts', async () => {
    const id = await room.post(webhook.id);
    await room.database.query(
      `insert into webhook_attempts (organization_id, delivery_id, number, started_at, duration_ms)
       select $1, $2, n, now(), 1 from generate_series(1, $3::int) n`,
      [room.organizationId, id, KEPT_ATTEMPTS + 10],
    );
    await room.database.query('update webhook_deliveries set attempts = $2 where id = $1', [id, KEPT_ATTEMPTS + 10]);
    await run();
    const { rows } = await room.database.query<{ number: number }>(
      'select number from webhook_attempts where delivery_id = $1 order by number',
      [id],
    );
    assert.deepEqual([rows.length, rows[0]?.number, rows.at(-1)?.number], [KEPT_ATTEMPTS, 12, KEPT_ATTEMPTS + 11]);
  });

  it('are claimed without reading the pending deliveries of 3,000 deleted webhooks', async () => {
    const id = await room.post(webhook.id);
    await room.database.query(
      `with gone as (
         insert into webhooks (organization_id, url, status, secret)
         select organization_id, url, 'deleted', secret from webhooks cross join generate_series(1, 3000) where id = $1
         returning organization_id, id
       )
       insert into webhook_deliveries (organization_id, webhook_id, message_id)
       select g.organization_id, g.id, d.message_id from gone g cross join webhook_deliveries d where d.id = $2`,
      [webhook.id, id],
    );
    const read = await rowsReadBy(room.database, ['webhooks', 'webhook_deliveries'], async (connection) => {
      assert.ok((await lookForWork(connection)).forDeliveries);
      assert.equal((await claimDeliveries(connection, MANY, NOTHING_IN_HAND)).length, 1);
    });
    assert.ok(read < 200, `${read} rows are read`);
  });

  it('are purged after thirty days, including deliveries that are still pending', async () => {
    const old = await room.post(webhook.id);
    await run();
    const waiting = await room.post(webhook.id);
    await room.database.query(`update webhook_messages set created_at = now() - make_interval(days => $1)`, [
      KEPT_DAYS,
    ]);
    const kept = await room.post(webhook.id);
    assert.equal(await purgeMessages(room.database, 1), 1);
    assert.equal(await purgeMessages(room.database, 10), 1);
    assert.equal(await purgeMessages(room.database, 10), 0);
    const { rows } = await room.database.query<{ id: DeliveryId }>('select id from webhook_deliveries');
    assert.deepEqual(rows, [{ id: kept }], `${old} and ${waiting} are deleted`);
  });

  it('have a lag equal to the time for which the oldest due delivery has been due, not counting paused webhooks', async () => {
    assert.equal(await webhookLag(room.database), 0);
    const other = await room.webhook(receiver.url);
    await room.post(webhook.id);
    await room.post(other.id);
    await room.database.query(
      `update webhook_deliveries set due_at = now() - interval '1 hour' where webhook_id = $1`,
      [webhook.id],
    );
    const lag = await webhookLag(room.database);
    assert.ok(lag >= 3600 && lag < 3700, String(lag));
    await room.database.query(
      `update webhooks set status = 'paused', paused_reason = 'by-hand', paused_at = now() where id = $1`,
      [webhook.id],
    );
    assert.ok((await webhookLag(room.database)) < 60);
  });

  it('are claimed in small numbers per webhook, and one at a time if the webhook fails or is slow', async () => {
    for (let n = 0; n < MAX_IN_FLIGHT + 4; n += 1) await room.post(webhook.id);
    const first = await claimDeliveries(room.database, MANY, NOTHING_IN_HAND);
    assert.equal(first.length, MAX_IN_FLIGHT);
    const inHand = (inFlight: number, slow: boolean) => ({
      deliveries: first.map(({ id }) => id),
      webhooks: [{ id: webhook.id, inFlight, slow }],
    });
    const claim = async (inFlight: number, slow: boolean): Promise<number> =>
      (await claimDeliveries(room.database, MANY, inHand(inFlight, slow))).length;
    assert.equal(await claim(MAX_IN_FLIGHT, false), 0);
    assert.equal(await claim(1, true), 0);
    assert.equal(await claim(0, true), 1);
    assert.equal(await claim(MAX_IN_FLIGHT - 1, false), 1);
    await failingFor('1 minute');
    assert.equal(await claim(1, false), 0);
    assert.equal(await claim(0, false), 1);
  });

  it('are claimed in rotation: each webhook gets its first delivery before any webhook gets its second', async () => {
    const first = await room.post(webhook.id);
    const others = [await room.webhook(receiver.url), await room.webhook(receiver.url)];
    for (const { id } of others) for (let n = 0; n < 5; n += 1) await room.post(id);
    await room.database.query(
      `update webhook_deliveries set due_at = now() - interval '1 day' where webhook_id <> $1`,
      [webhook.id],
    );
    const claimed = await claimDeliveries(room.database, { limit: 4, each: MAX_IN_FLIGHT }, NOTHING_IN_HAND);
    assert.equal(claimed.length, 4);
    assert.ok(claimed.some(({ id }) => id === first));
  });

  it('to a hundred webhooks with an unresponsive receiver don’t delay deliveries to another receiver', async () => {
    const silent = await openReceiver(() => {});
    const waiting = Math.ceil(MAX_TOTAL_IN_FLIGHT / 100) + 2;
    for (let n = 0; n < 100; n += 1) {
      const { id } = await room.webhook(silent.url);
      for (let m = 0; m < waiting; m += 1) await room.post(id);
    }
    // The time limit is long, so the attempts end only because the receiver is closed.
    const sending = room.start({ totalMs: 100_000 });
    await silent.got(256);
    for (let n = 1; n <= 20; n += 1) {
      await room.post(webhook.id);
      sending.wake();
      await receiver.got(n);
    }
    await silent.close();
    await sending.stop();
  });

  it('to one unresponsive receiver don’t delay deliveries to another receiver', async () => {
    const never = await openReceiver(() => {});
    const stuck = await room.webhook(never.url);
    for (let n = 0; n < 40; n += 1) await room.post(stuck.id);
    await room.database.query(`update webhook_deliveries set due_at = now() - interval '1 day'`);
    for (let n = 0; n < 40; n += 1) await room.post(webhook.id);
    // The deliveries to the other receiver finish before the unanswered deliveries have failed once.
    const sending = room.start({ totalMs: 5_000 });
    await receiver.got(40);
    assert.ok(never.received.length <= MAX_IN_FLIGHT);
    const { rows } = await room.database.query<{ n: number }>(
      'select count(*) as n from webhook_attempts where error is not null',
    );
    assert.equal(rows[0]?.n, 0);
    await never.close();
    await sending.stop();
  });

  async function replaceSecretOf(id: WebhookId, secret: string, overlapSeconds: number): Promise<void> {
    await inTransaction(room.database, (connection) =>
      replaceSecret({ connection, organizationId: room.organizationId }, id, SECRETS.seal(secret), overlapSeconds),
    );
  }

  async function statusesOf(...ids: DeliveryId[]): Promise<string[]> {
    const found: Delivery[] = [];
    for (const id of ids) found.push(await room.delivery(id));
    return found.map(({ status }) => status);
  }
});

function attempt(statusCode: number | null) {
  return { durationMs: 1, statusCode, error: 'no', response: null };
}

function byNumber(a: number, b: number): number {
  return a - b;
}
