import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SentEvent } from '../support/translated.ts';

/* Creates Paddle events for tests from recorded events, and signs them like Paddle. */

export const PADDLE_SECRET = 'pdl_ntfset_01h8e2m4kq7vv0xn2sgtw5r9yc_Lh3TQe8vJm0a';

type Fields = Readonly<Record<string, unknown>>;
type Recorded = { readonly event_type: string; readonly occurred_at: string; readonly data: Fields } & Fields;
export type PaddleEvent = SentEvent & Recorded;

function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(new URL(`./fixtures/paddle/${name}.json`, import.meta.url), 'utf8')) as Recorded;
}

let made = 0;

/** Returns a copy of a recorded event with a new id, the current time, and the given type and data. */
export function eventOf(type: string, data: Fields, base: Recorded = recorded('transaction-completed')): PaddleEvent {
  made += 1;
  const id = `evt_${String(made).padStart(26, '0')}`;
  const occurredAt = new Date();
  const created = Math.floor(occurredAt.getTime() / 1_000);
  return { ...base, id, type, created, event_id: id, event_type: type, occurred_at: occurredAt.toISOString(), data };
}

/**
 * Returns a completed transaction. If `amounts` is given, the transaction has a single line. `amounts` may contain
 * `subtotal`, `tax`, `discount` and `credit` in the smallest unit.
 */
export function transaction(id: string, fields: Fields = {}, amounts?: Readonly<Record<string, number>>): PaddleEvent {
  const base = recorded('transaction-completed');
  const details = amounts === undefined ? base.data['details'] : detailsOf(amounts);
  const now = new Date().toISOString();
  const times = { payments: [{ status: 'captured', captured_at: now }], billed_at: now };
  return eventOf('transaction.completed', { ...base.data, ...times, id, details, ...fields });
}

function detailsOf({ subtotal = 0, tax = 0, discount = 0, credit = 0 }: Readonly<Record<string, number>>): Fields {
  const total = subtotal - discount + tax;
  const product = { id: 'pro_1', name: 'Plan' };
  return {
    totals: {
      subtotal: String(subtotal),
      tax: String(tax),
      discount: String(discount),
      total: String(total),
      credit: String(credit),
      grand_total: String(total - credit),
    },
    line_items: [{ id: 'txnitm_1', quantity: 1, totals: { subtotal: String(subtotal) }, product, price_id: 'pri_1' }],
  };
}

/** Returns an adjustment of a transaction. Its status is approved unless `fields` contains another status. */
export function adjustment(id: string, of: string, amount: number, fields: Fields = {}): PaddleEvent {
  const base = recorded('adjustment-updated');
  const totals = { ...(base.data['totals'] as Fields), total: String(amount) };
  return eventOf('adjustment.updated', { ...base.data, id, transaction_id: of, totals, ...fields }, base);
}

export function signed(body: string, secret = PADDLE_SECRET, at = Math.floor(Date.now() / 1_000)): string {
  return `ts=${at};h1=${hashOf(body, secret, at)}`;
}

export function hashOf(body: string, secret: string, at: number): string {
  return createHmac('sha256', secret).update(`${at}:${body}`).digest('hex');
}
