import assert from 'node:assert/strict';
import { type Caller, openCaller, type Reply } from './caller.ts';

const CROWD = 8;

export type Buyers = {
  readonly sold: readonly string[];
  readonly refunded: readonly string[];
  /** Resolves once the given number of sales are acknowledged. */
  readonly until: (sales: number) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** The address of a service that can move to another address. */
export type Place = {
  readonly now: () => string;
  /** Resolves once the service has moved away from `url`. */
  readonly after: (url: string) => Promise<void>;
  readonly move: (url: string) => void;
};

export function placeAt(first: string): Place {
  let url = first;
  let moved = Promise.withResolvers<void>();
  return {
    now: () => url,
    after: (left) => (left === url ? moved.promise : Promise.resolve()),
    move: (to) => {
      url = to;
      moved.resolve();
      moved = Promise.withResolvers();
    },
  };
}

/**
 * Starts buyers that visit through `tracking:first`, buy, and return some of their orders (see `isSentBack`). The
 * external ids of their sales begin with `name`. Any unsuccessful answer fails the test.
 */
export function startBuyers(url: string, key: string, name: string, count = CROWD): Buyers {
  const { send, leave } = openCaller(url);
  return start((path, body) => send('POST', path, { key, body }), leave, name, count);
}

/** Starts buyers that resend each request that got no answer or a 503, as soon as the service has moved. */
export function startPatientBuyers(place: Place, key: string, name: string): Buyers {
  const callers = new Map<string, Caller>();
  const callerAt = (url: string): Caller => {
    const caller = callers.get(url) ?? openCaller(url);
    callers.set(url, caller);
    return caller;
  };
  const insist = async (path: string, body: object): Promise<Reply> => {
    for (;;) {
      const url = place.now();
      const reply = await callerAt(url)
        .send('POST', path, { key, body })
        .catch(() => undefined);
      // A stopping service answers 503 or closes the connection.
      if (reply !== undefined && reply.status !== 503) return reply;
      await place.after(url);
    }
  };
  return start(insist, () => callers.forEach(({ leave }) => leave()), name, CROWD);
}

function start(
  send: (path: string, body: object) => Promise<Reply>,
  leave: () => void,
  name: string,
  count: number,
): Buyers {
  const sold: string[] = [];
  const refunded: string[] = [];
  const goals: { readonly sales: number; readonly reach: () => void }[] = [];
  let ended = false;
  const callers = Promise.all(Array.from({ length: count }, (_, n) => call(n)));

  async function call(caller: number): Promise<void> {
    for (let turn = 0; !ended; turn += 1) {
      const id = `${name}-${caller}-${turn}`;
      const visit = await must('/v1/event/site-visited', { collaboratorId: 'tracking:first' });
      const trackingId = visit.headers.get('X-Service-OID');
      await must('/v1/event/sale', { source: 'shop', externalId: id, total: 49.9, trackingId });
      sold.push(id);
      for (const { sales, reach } of goals) if (sold.length >= sales) reach();
      if (!isSentBack(id)) continue;
      await must('/v1/event/refund', { source: 'shop', externalId: id });
      refunded.push(id);
    }
  }

  async function must(path: string, body: object): Promise<Reply> {
    const reply = await send(path, body);
    assert.equal(reply.status, 200, reply.text);
    return reply;
  }

  return {
    sold,
    refunded,
    until: async (sales) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      goals.push({ sales, reach: resolve });
      // The callers stop before the promise resolves only if a call was refused.
      await Promise.race([promise, callers]);
    },
    end: async () => {
      ended = true;
      await callers;
      leave();
    },
  };
}

/** Returns whether the buyers return an order. They return every tenth order: the orders whose ids end in 9. */
export function isSentBack(externalId: string): boolean {
  return externalId.endsWith('9');
}
