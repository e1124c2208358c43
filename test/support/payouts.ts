import assert from 'node:assert/strict';
import type { Reply, TestService } from './service.ts';

/** Complete tax details of an individual in Germany, in the format of a request body. */
export const TAX_DETAILS = {
  status: 'individual',
  firstName: 'Ada',
  lastName: 'Lovelace',
  country: 'DE',
  street: 'Torstraße 1',
  city: 'Berlin',
  postalCode: '10119',
  tin: '36574261809',
  dateOfBirth: '1990-05-31',
} as const;

export type Fulfillment = {
  id: number;
  currency: string;
  status: string;
  amount: number;
  payouts: number;
  minimum: number | null;
  author: string;
};
export type Flag = {
  transactionId: number;
  conversionId: number;
  obligationId: number;
  amount: number;
  reason: string;
  resolution?: string;
  note?: string;
  author?: string;
};
export type Payout = {
  id: number;
  fulfillmentId: number;
  collaboratorId: number;
  amount: number;
  currency: string;
  status: string;
  review: { state: string; reasons: Flag[]; reasonCount: number; openCount: number; openAmount: number };
  paidAt: string | null;
};
export type Preview = {
  currency: string;
  amount: number;
  payouts: { collaboratorId: number; amount: number; obligationIds: number[]; payoutMethod: string }[];
  carriedForward: { collaboratorId: number; amount: number; reason: string }[];
};

/**
 * The actions of a merchant's bookkeeper. Every call must succeed, except for `try…` calls, which return any answer.
 */
export type Till = {
  readonly run: (request?: object) => Promise<Fulfillment[]>;
  /** Creates payout runs, asserts that exactly one is created, and returns the run. */
  readonly runOne: (request?: object) => Promise<Fulfillment>;
  readonly preview: (request?: object) => Promise<Preview[]>;
  readonly move: (id: number, verb: 'process' | 'complete' | 'fail') => Promise<Fulfillment>;
  readonly mark: (id: number, mark: 'paid' | 'unpaid') => Promise<Payout>;
  readonly review: (id: number, resolution: 'keep' | 'claw-back', note?: string) => Promise<Payout>;
  readonly payout: (id: number) => Promise<Payout>;
  readonly payoutsOf: (run: { readonly id: number }) => Promise<Payout[]>;
  readonly tryRun: (id: number, verb: string) => Promise<Reply>;
  readonly tryPayout: (id: number, verb: string, body?: object) => Promise<Reply>;
};

export function openTill({ request, secretKey: key }: Pick<TestService, 'request' | 'secretKey'>): Till {
  const must = async <Body>(status: number, method: string, path: string, body?: object): Promise<Body> => {
    const reply = await request(method, path, { key, body });
    assert.equal(reply.status, status, reply.text);
    return reply.body as Body;
  };
  const run = (request: object = {}) => must<Fulfillment[]>(201, 'POST', '/v1/fulfillments', request);
  return {
    run,
    runOne: async (request) => {
      const runs = await run(request);
      assert.equal(runs.length, 1, 'exactly one run is created');
      return runs[0] as Fulfillment;
    },
    preview: (request = {}) => must(200, 'POST', '/v1/fulfillments/preview', request),
    move: (id, verb) => must(200, 'POST', `/v1/fulfillments/${id}/${verb}`),
    mark: (id, mark) => must(200, 'POST', `/v1/payouts/${id}/mark-${mark}`),
    review: (id, resolution, note = 'Looked at') => must(200, 'POST', `/v1/payouts/${id}/review`, { resolution, note }),
    payout: (id) => must(200, 'GET', `/v1/payouts/${id}`),
    payoutsOf: ({ id }) => must(200, 'GET', `/v1/payouts?fulfillmentId=${id}&sort=id&perPage=100`),
    tryRun: (id, verb) => request('POST', `/v1/fulfillments/${id}/${verb}`, { key }),
    tryPayout: (id, verb, body) => request('POST', `/v1/payouts/${id}/${verb}`, { key, body }),
  };
}
