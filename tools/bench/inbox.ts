import { parseArgs } from 'node:util';
import type { Database } from '#platform/postgres/database.ts';
import { eventOf, invoicePaid, SECRET, signBody, type StripeEvent } from '#test/support/stripe.ts';
import { numeral } from './figures.ts';
import { runLoad } from './load.ts';
import { type Bench, withBench } from './processes.ts';

/*
 * `npm run bench:inbox`: measures how many signed events per second a connector accepts and processes. Half of the
 * events are paid invoices of 3 kB, and each of these is recorded as a sale. The other events have no amount.
 */

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rate: { type: 'string', default: '1000' },
    callers: { type: 'string', default: '32' },
  },
});
const seconds = Number(options.seconds);
const rate = Number(options.rate);

await withBench(async (bench, database) => {
  const { id } = await createConnector(bench);
  const events = Array.from({ length: rate * seconds }, (_, n) => eventNumber(n));
  const requests = events.map((event) => requestOf(id, JSON.stringify(event)));
  const started = performance.now();
  const result = await runLoad({
    port: bench.port,
    callers: Number(options.callers),
    seconds,
    rate,
    next: () => requests.pop(),
  });
  const pending = await countPending(database);
  while ((await countPending(database)) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const elapsed = (performance.now() - started) / 1_000;
  process.stdout.write(
    `accepted ${numeral(result.requestsPerSecond)} events/s  p50 ${numeral(result.p50, 1)} ms  p99 ${numeral(result.p99, 1)} ms` +
      `${result.failures > 0 ? `  ${result.failures} FAILED` : ''}\n` +
      `processed ${numeral(result.total / elapsed)} events/s, with ${numeral(pending)} pending at the end of the load\n`,
  );
});

async function createConnector({ port, key }: Bench): Promise<{ readonly id: number }> {
  const reply = await fetch(`http://127.0.0.1:${port}/v1/connectors`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'stripe', name: 'Bench', secret: SECRET, settings: { awaitCheckoutHours: 0 } }),
  });
  if (reply.status !== 201) throw new Error(await reply.text());
  return (await reply.json()) as { id: number };
}

function eventNumber(n: number): StripeEvent {
  if (n % 2 === 0) return eventOf('customer.subscription.updated', { id: `sub_${n}`, customer: `cus_${n}` });
  return invoicePaid({ id: `in_${n}`, customer: `cus_${n}`, amount: 1_000, reason: 'manual' })[0] as StripeEvent;
}

/** Returns a signed request. Send it within five minutes, because its signature is valid only for that time. */
function requestOf(id: number, body: string): string {
  return (
    `POST /v1/connectors/${id}/webhook HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
    `Stripe-Signature: ${signBody(body)}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

async function countPending(database: Database): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*) from connector_events where state = 'pending'`,
  );
  return rows[0]?.count ?? 0;
}
