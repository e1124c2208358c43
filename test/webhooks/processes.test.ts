import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { answerWith, openReceiver, type Receiver } from '#test/support/receiver.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

const PRIVATE = { WEBHOOKS_PRIVATE_ADDRESSES: 'true' };
const SALES = 40;

type Message = { type: string; deliveryId: string; data: { id: number } };

describe('webhooks of a service with several processes', () => {
  let service: TestService;
  let shop: Shop;
  let receiver: Receiver;
  const workers: ServiceProcess[] = [];
  before(async () => {
    service = await startService({ ...PRIVATE, WHENCE_ROLE: 'api' });
    shop = openShop(service);
    receiver = await openReceiver();
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
  });
  after(async () => {
    for (const worker of workers) worker.signal('SIGTERM');
    for (const worker of workers) await worker.exited;
    await receiver.close();
    await service.stop();
  });
  const startWorker = async (): Promise<ServiceProcess> => {
    const worker = await startProcess({ ...PRIVATE, DATABASE_URL: service.databaseUrl, WHENCE_ROLE: 'worker' });
    workers.push(worker);
    return worker;
  };
  const messages = (type: string): Message[] =>
    receiver.received.map(({ body }) => JSON.parse(body) as Message).filter((each) => each.type === type);

  it('report each sale once, signed, with the resource as the API returns it', async () => {
    const body = { url: receiver.url, events: ['transaction.created', 'conversion.approved'] };
    const made = await service.request('POST', '/v1/webhooks', { key: service.secretKey, body });
    assert.equal(made.status, 201, made.text);
    const { signingSecret } = made.body as { signingSecret: string };
    await Promise.all([startWorker(), startWorker()]);
    const oid = await shop.visit('ada');
    for (let n = 0; n < SALES; n += 1) await shop.sell(`order-${n}`, oid);
    await receiver.got(2 * SALES);
    await settledDeliveries(service);
    assert.equal(receiver.received.length, 2 * SALES);
    assert.equal(new Set(messages('transaction.created').map(({ data }) => data.id)).size, SALES);
    const approved = messages('conversion.approved').map(({ data }) => data);
    assert.equal(new Set(approved.map(({ id }) => id)).size, SALES);
    const [first] = approved as [{ id: number }];
    assert.deepEqual(first, await shop.get(`/v1/conversions/${first.id}`));
    // The metric of sent deliveries is incremented shortly after the delivery is saved, so wait for it.
    const counted = async (): Promise<number> =>
      (await Promise.all(workers.map(({ url }) => deliveredBy(url)))).reduce((sum, each) => sum + each, 0);
    await until(async () => (await counted()) === 2 * SALES, 'the metrics say so');
    for (const { headers, body: sent } of receiver.received) {
      new Webhook(signingSecret).verify(sent, headers as Record<string, string>);
    }
  });

  it('lose no deliveries when all workers are killed while sending: a new worker sends them again', async () => {
    let asked = 0;
    receiver.received.length = 0;
    // The receiver answers no request until the sending processes are killed.
    const killed = new Promise<void>((resolve) => {
      receiver.behave(() => {
        asked += 1;
        if (asked === 3) resolve();
      });
    });
    const oid = await shop.visit('ada');
    for (let n = 0; n < 3; n += 1) await shop.sell(`killed-${n}`, oid);
    await killed;
    for (const worker of workers.splice(0)) {
      worker.signal('SIGKILL');
      await worker.exited;
    }
    const sent = receiver.received.map(({ body }) => body);
    receiver.behave(answerWith(200));
    // Make the deliveries due, as if their lease had ended.
    await service.database.query(`update webhook_deliveries set due_at = now() where status = 'pending'`);
    await startWorker();
    await settledDeliveries(service);
    await service.settled();
    await settledDeliveries(service);
    const again = new Set(receiver.received.slice(sent.length).map(({ body }) => body));
    assert.deepEqual(
      sent.filter((body) => !again.has(body)),
      [],
      'each message is sent again with the same bytes',
    );
    assert.equal(new Set(messages('transaction.created').map(({ data }) => data.id)).size, 3);
  });
});

async function deliveredBy(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  assert.match(text, /^whence_webhook_lag_seconds [\d.]+$/m);
  return Number(/^whence_webhook_attempts_total{outcome="delivered"} (\d+)$/m.exec(text)?.[1] ?? 0);
}

const LIMIT_MS = 30_000;

/** Waits until no outbox row and no delivery is pending. Fails after 30 seconds. */
async function settledDeliveries({ database }: TestService): Promise<void> {
  await until(async () => {
    const { rows } = await database.query<{ waiting: number }>(
      `select (select count(*) from webhook_outbox) +
         (select count(*) from webhook_deliveries where status = 'pending') as waiting`,
    );
    return rows[0]?.waiting === 0;
  }, 'deliveries settle');
}

async function until(holds: () => Promise<boolean>, promise: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, promise);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
