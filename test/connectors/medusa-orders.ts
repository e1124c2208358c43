import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/* Returns recorded Medusa orders for tests, and signs messages like the Medusa plugin. */

export const MEDUSA_SECRET = '5f3a9c1e7b2d4860a1c3e5f7092b4d6f';

type Fields = Readonly<Record<string, unknown>>;
export type MedusaOrder = { readonly id: string } & Fields;

const FILE = new URL('./fixtures/medusa/orders.json', import.meta.url);
/**
 * The recorded orders, dated ten years earlier. A capture that is too old for a late report counts as captured now, and
 * therefore after the visit of a test.
 */
const RECORDED = JSON.parse(readFileSync(FILE, 'utf8').replaceAll('"2026-', '"2016-')) as Readonly<
  Record<string, MedusaOrder>
>;

/** Returns a recorded order, such as `captured`, with the given fields replaced. Throws if there is no such order. */
export function recordedOrder(name: string, fields: Fields = {}): MedusaOrder {
  const order = RECORDED[name];
  if (order === undefined) throw new Error(`no order ${name} was recorded`);
  return { ...order, ...fields };
}

export function signatureOf(body: string, secret = MEDUSA_SECRET): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}
