import assert from 'node:assert/strict';
import { openCaller, type Reply } from './caller.ts';

const CALLERS = 8;

export type Buyers = {
  readonly sold: readonly string[];
  readonly refunded: readonly string[];
  /** Resolves once so many sales were acknowledged. */
  readonly until: (sales: number) => Promise<void>;
  readonly end: () => Promise<void>;
};

/**
 * Visitors who come by `tracking:first`, buy, and send every tenth order back; their sales begin with `name`. Whatever is
 * not answered with success fails the test.
 */
export function startBuyers(url: string, key: string, name: string): Buyers {
  const { send, leave } = openCaller(url);
  const sold: string[] = [];
  const refunded: string[] = [];
  const goals: { readonly sales: number; readonly reach: () => void }[] = [];
  let ended = false;
  const callers = Promise.all(Array.from({ length: CALLERS }, (_, n) => call(n)));

  async function call(caller: number): Promise<void> {
    for (let turn = 0; !ended; turn += 1) {
      const id = `${name}-${caller}-${turn}`;
      const visit = await must('/v1/event/site-visited', { collaboratorId: 'tracking:first' });
      const trackingId = visit.headers.get('X-Service-OID');
      await must('/v1/event/sale', { source: 'shop', externalId: id, total: 49.9, trackingId });
      sold.push(id);
      for (const { sales, reach } of goals) if (sold.length >= sales) reach();
      if (turn % 10 !== 9) continue;
      await must('/v1/event/refund', { source: 'shop', externalId: id });
      refunded.push(id);
    }
  }

  async function must(path: string, body: object): Promise<Reply> {
    const reply = await send('POST', path, { key, body });
    assert.equal(reply.status, 200, reply.text);
    return reply;
  }

  return {
    sold,
    refunded,
    until: async (sales) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      goals.push({ sales, reach: resolve });
      // Callers end by themselves only where one of them was refused.
      await Promise.race([promise, callers]);
    },
    end: async () => {
      ended = true;
      await callers;
      leave();
    },
  };
}
