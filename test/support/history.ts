import { openTill } from './payouts.ts';
import type { TestService } from './service.ts';
import { type Conversion, openShop } from './shop.ts';

export type HistoryTarget = Pick<TestService, 'request' | 'secretKey' | 'settled'>;

const CODES = ['first', 'second', 'third'] as const;
const VISITORS = 40;

/**
 * Creates sample data for many features of a service before an upgrade. The manual decisions on most sales named
 * `kept-<n>` are left to the next version.
 */
export async function reportHistory(service: HistoryTarget): Promise<void> {
  const shop = openShop(service);
  const weighted = await shop.program({ name: 'Weighted', attribution: 'weighted', autoApprove: true });
  await shop.program({ name: 'By hand', attribution: 'linear', reward: { type: 'per-sale', amount: 500 } });
  await shop.program({ name: 'Once', creditsPer: 'opportunity', approveAfterDays: 14 });
  for (const code of CODES) await shop.collaborator(code);

  for (let n = 0; n < VISITORS; n += 1) {
    const who = (add: number): string => CODES[(n + add) % CODES.length] as string;
    const visitor = await shop.visit(who(0), n % 4 === 0 ? { userId: 100 + n } : {});
    if (n % 3 === 0) await shop.visit(who(1), { oid: visitor });
    // A visit of the same user from another browser merges the two opportunities.
    if (n % 8 === 0) await shop.visit(who(2), { userId: 100 + n });
    if (n % 5 === 4) continue;
    await shop.sell(n < VISITORS / 2 ? `sold-${n}` : `kept-${n}`, visitor, { total: 10 * n + 19.99 });
    if (n === 15) await shop.change(`/v1/programs/${weighted}`, { reward: { type: 'percent', percent: 12.5 } });
    if (n < VISITORS / 2 && n % 7 === 0) await shop.refund(`sold-${n}`);
  }
  await service.settled();
  await reviewSome(service);
  await reportMoney(service);
  await reportPeople(service);
  await service.settled();
}

/**
 * Reviews the older half of the pending conversions. Approves a third of them, rejects a third, and leaves a
 * third pending.
 */
async function reviewSome({ request, secretKey: key, ...service }: HistoryTarget): Promise<void> {
  const shop = openShop({ request, secretKey: key, ...service });
  const pending = await shop.get<Conversion[]>('/v1/conversions?status=pending&sort=id&perPage=100');
  const verbs = [{ verb: 'approve', body: {} }, { verb: 'reject', body: { reason: 'Not for this one' } }, undefined];
  for (const [n, { id }] of pending.slice(0, pending.length / 2).entries()) {
    const review = verbs[n % verbs.length];
    if (review === undefined) continue;
    await must(request('POST', `/v1/conversions/${id}/${review.verb}`, { key, body: review.body }));
  }
}

/** Creates tiers, caps, leads, renewals, coupon uses, custom events, a webhook, payouts and partial refunds. */
async function reportMoney(service: HistoryTarget): Promise<void> {
  const { request, secretKey: key } = service;
  const shop = openShop(service);
  const till = openTill(service);
  const post = (path: string, body: object) => must(request('POST', path, { key, body }));
  await post('/v1/webhooks', { url: 'https://receiver.example/hook', events: ['conversion.approved'] });
  await post('/v1/custom-events', { slug: 'newsletter', name: 'Newsletter' });
  const step = { from: 5_000, reward: { type: 'percent', percent: 20 } };
  await shop.program({
    name: 'Tiers',
    tiers: { period: 'month', by: 'sum', steps: [step] },
    capPerPeriod: { period: 'year', amount: 20_000 },
    triggers: { 'site-visit': 1, 'coupon-applied': 5, newsletter: 2 },
    autoApprove: true,
  });
  await shop.program({ name: 'Leads', reward: { type: 'per-lead', amount: 250 }, pays: ['lead'] });
  await shop.collaborator('influencer', { aliases: [{ type: 'coupon', code: 'TEN' }] });
  for (let n = 0; n < 12; n += 1) {
    const visitor = await shop.visit('second');
    if (n % 2 === 0) await shop.applyCoupon('TEN', visitor);
    if (n % 3 === 0) await shop.custom('newsletter', visitor);
    if (n % 4 === 0) await shop.lead(visitor, { source: 'shop', externalId: `lead-${n}` });
    await shop.sell(`money-${n}`, visitor, { total: 100 + n });
    if (n % 4 === 1) await shop.renew(`money-${n}-again`, `money-${n}`);
  }
  await service.settled();
  await till.runOne();
  const runs = await shop.get<{ id: number }[]>('/v1/fulfillments');
  const [paid, flagged] = await till.payoutsOf(runs[0] as { id: number });
  if (paid !== undefined) await till.mark(paid.id, 'paid');
  // The commissions on these three sales are already in payouts, so the refunds flag the payouts. The first two payouts
  // are then reviewed.
  for (const n of [1, 2, 3]) {
    await post('/v1/event/refund', { source: 'shop', externalId: `money-${n}`, refundId: 'part', amount: 20 });
  }
  await service.settled();
  for (const { id } of [paid, flagged].filter((payout) => payout !== undefined)) {
    const { review } = await till.payout(id);
    if (review.state === 'flagged') await till.review(id, 'claw-back', 'Sent back');
  }
}

async function reportPeople({ request, secretKey: key }: HistoryTarget): Promise<void> {
  await request('POST', '/v1/invitations', { key, body: { email: 'manager@shop.example', role: 'manager' } });
}

async function must(reply: ReturnType<HistoryTarget['request']>): Promise<void> {
  const { status, text } = await reply;
  if (status >= 300) throw new Error(`${status}: ${text}`);
}
