import { Whence } from '@whence/sdk';
import type { TestService } from './service.ts';

/** A small shop that owes commissions: an API client, and the ids of two collaborators and a program. */
export type Earnings = {
  readonly whence: Whence;
  readonly ada: number;
  readonly ben: number;
  readonly affiliates: number;
};

const ORDERS: readonly (readonly [order: string, by: 'ada' | 'ben' | 'cleo', total: number, currency: string])[] = [
  ['order-1001', 'ada', 60, 'USD'],
  ['order-1002', 'ada', 250, 'USD'],
  ['order-1003', 'ben', 80, 'USD'],
  ['order-1004', 'cleo', 1_249.5, 'EUR'],
  ['order-1005', 'ada', 32.4, 'USD'],
  ['order-1006', 'ben', 419, 'USD'],
  ['order-1007', 'cleo', 89.9, 'EUR'],
  ['order-1008', 'ada', 128, 'USD'],
];

/**
 * Fills a shop with data for finance tests: three collaborators, two programs of one group, eight sales in two
 * currencies, and no approved commission yet.
 */
export async function fillEarnings(service: Pick<TestService, 'url' | 'secretKey'>): Promise<Earnings> {
  const whence = new Whence({ baseUrl: service.url, apiKey: service.secretKey });
  const affiliates = await whence.programs.create({ name: 'Affiliates', reward: { type: 'percent', percent: 10 } });
  const club = await whence.programs.create({ name: 'Readers’ club', reward: { type: 'percent', percent: 4 } });
  const programIds = [affiliates.id, club.id];
  await whence.programGroups.create({ name: 'Referrals', rule: 'newest', programIds });
  const people = { ada: 'Ada Lovelace', ben: 'Ben Bitdiddle', cleo: 'Cleo de Nile' };
  const ids: Record<string, number> = {};
  for (const [code, name] of Object.entries(people)) {
    const email = `${code}@example.com`;
    const made = await whence.collaborators.create({ name, email, aliases: [{ type: 'tracking', code }] });
    ids[code] = made.id;
  }
  for (const [externalId, by, total, currency] of ORDERS) {
    // Another collaborator refers the visitor first.
    const first = await whence.report.visit({ collaboratorId: `tracking:${by === 'ben' ? 'ada' : 'ben'}` });
    const trackingId = await whence.report.visit({ collaboratorId: `tracking:${by}` }, { opportunity: first });
    await whence.report.sale({ source: 'shop', externalId, total, currency, trackingId, items: itemsOf(total) });
  }
  return { whence, ada: ids['ada'] as number, ben: ids['ben'] as number, affiliates: affiliates.id };
}

function itemsOf(total: number) {
  const shipping = 4.9;
  return [
    { externalId: 'mug-blue', name: 'Blue mug', quantity: 1, amount: Number((total - shipping).toFixed(2)) },
    { name: 'Shipping', type: 'shipping' as const, amount: shipping },
  ];
}
