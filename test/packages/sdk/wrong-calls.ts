// Calls that must not compile. If a call compiles, its `@ts-expect-error` is reported as an error. `npm run typecheck`
// compiles this file as it is, and dist.test.ts compiles it against the built package. The file never runs.
import { verifyWebhook, type Conversion, type WebhookEvent, Whence, type WhenceError } from '#sdk/whence.ts';

declare const whence: Whence;
declare const event: WebhookEvent;
declare const error: WhenceError;

// @ts-expect-error the key is missing
export const keyless = new Whence({ baseUrl: 'https://whence.example' });
// @ts-expect-error Whence has no option `retries`
export const odd = new Whence({ baseUrl: 'https://whence.example', apiKey: 'sk_live_', retries: 3 });

export async function reports(): Promise<void> {
  // @ts-expect-error the source of the sale is missing
  await whence.report.sale({ externalId: '1', trackingId: 1, total: 1 });
  // @ts-expect-error a sale has no field `curency`
  await whence.report.sale({ source: 'shop', externalId: '1', trackingId: 1, total: 1, curency: 'EUR' });
  // @ts-expect-error a sale has no option `opportunity`, because it has the field `trackingId`
  await whence.report.sale({ source: 'shop', externalId: '1', trackingId: 1, total: 1 }, { opportunity: 1 });
  // @ts-expect-error a refund of a sale without an opportunity returns null
  const nothing: number = await whence.report.refund({ source: 'shop', externalId: '1' });
  // @ts-expect-error a visit returns a number
  const text: string = await whence.report.visit({ collaboratorId: 7 });
  console.log(nothing, text);
}

export async function resources(): Promise<void> {
  // @ts-expect-error a percent reward has no amount
  await whence.programs.create({ name: 'A', reward: { type: 'percent', amount: 500 } });
  // @ts-expect-error there is no reward of the type `per-moon`
  await whence.programs.create({ name: 'A', reward: { type: 'per-moon', amount: 500 } });
  // @ts-expect-error a program has no status `paused`
  await whence.programs.update(5, { status: 'paused' });
  // @ts-expect-error an id is missing
  await whence.collaborators.retireAlias(7);
  // @ts-expect-error a rejection needs a reason
  await whence.conversions.reject(41);
  // @ts-expect-error a GET has no Idempotency-Key
  await whence.conversions.get(41, { idempotencyKey: 'a' });
  // @ts-expect-error a payout has no ETag
  await whence.payouts.markPaid(61, { ifMatch: '"1"' });
  // @ts-expect-error transactions can’t be deleted
  await whence.transactions.delete(31);
  // @ts-expect-error a payout has no field `total`
  console.log((await whence.payouts.get(61)).total);
}

export async function lists(): Promise<void> {
  // @ts-expect-error conversions have no filter `state`
  await whence.conversions.list({ state: 'pending' });
  // @ts-expect-error conversions have no status `paid`
  await whence.conversions.list({ status: 'paid' });
  // @ts-expect-error conversions can’t be sorted by `programId`
  await whence.conversions.list({ sort: 'programId' });
  // @ts-expect-error a page is not a row
  const row: Conversion = await whence.conversions.list();
  // @ts-expect-error a limit is missing
  await whence.conversions.list().toArray();
  for await (const payout of whence.payouts.list()) {
    // @ts-expect-error a payout is not a conversion
    const other: Conversion = payout;
    console.log(other);
  }
  console.log(row);
}

export async function webhooks(): Promise<void> {
  // @ts-expect-error the secret is missing
  await verifyWebhook('{}', new Headers());
  // @ts-expect-error the body must be text or bytes, not a parsed object
  await verifyWebhook({}, new Headers(), 'whsec_');
  // @ts-expect-error there is no event type `payout.lost`
  if (event.type === 'payout.lost') console.log(event);
  if (event.type === 'payout.paid') {
    // @ts-expect-error the data of `payout.paid` has no field `transactionId`
    console.log(event.data.transactionId);
  }
}

// @ts-expect-error there is no error code `sale-lost`
export const never = error.code === 'sale-lost';
