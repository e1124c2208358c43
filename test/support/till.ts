import type { Reply, TestService } from './service.ts';
import { type Obligation, openShop } from './shop.ts';
import assert from 'node:assert/strict';

type Sold = {
  id: number;
  status: string;
  total: number;
  refundedAmount: number;
  refundedAt: string | null;
  lines: { name: string; quantity: number; total: number }[];
};

/** Returns a shop with additional calls for tests of refunds, conversions and obligations. */
export function openTill(service: TestService) {
  const shop = openShop(service);
  const key = service.secretKey;
  const refund = (externalId: string, part: Record<string, unknown>): Promise<Reply> =>
    service.request('POST', '/v1/event/refund', { key, body: { source: 'shop', externalId, ...part } });
  return {
    ...shop,
    refund,
    refunded: async (externalId: string, part: Record<string, unknown>): Promise<void> => {
      const reply = await refund(externalId, part);
      assert.equal(reply.status, 200, reply.text);
    },
    sold: async (externalId: string) => (await shop.transactionOf(externalId)) as unknown as Sold,
    /** Returns a list for each conversion: its status and amount, then the status and amount of each obligation. */
    worths: async (externalId: string) => {
      const earned = await shop.earned(externalId);
      return Promise.all(
        earned.map(async ({ id, status, amount }) => {
          const owed = await shop.get<Obligation[]>(`/v1/obligations?conversionId=${id}`);
          return [status, amount, ...owed.flatMap((each) => [each.status, each.amount])];
        }),
      );
    },
    act: (path: string, body: unknown = {}) => service.request('POST', `/v1/conversions/${path}`, { key, body }),
    eventsOf: async (externalId: string) => {
      const { id } = await shop.transactionOf(externalId);
      const events = await shop.get<{ type: string }[]>(`/v1/events?transactionId=${id}&sort=id`);
      return events.map(({ type }) => type);
    },
  };
}
export type Till = ReturnType<typeof openTill>;

export const ITEMS = [
  { externalId: 'mug', name: 'Mug', amount: 30, quantity: 2 },
  { externalId: 'hat', name: 'Hat', amount: 40 },
];
