import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { problemCode } from '../../support/replies.ts';
import { type Reply, startService, type TestService } from '../../support/service.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import { MAX_BODY_BYTES, MAX_BUFFERED_BYTES } from '#platform/http/request-limits.ts';
import { verify } from '#verify/verify.ts';

/** The number of bodies of the maximum size that fit into one organization's share of the memory for bodies. */
const FITTING = MAX_BUFFERED_BYTES.keysOfOrganization / MAX_BODY_BYTES;
const TOO_MANY = 3;
const LIMIT_MS = 10_000;

describe('a service with more waiting reports than fit into memory', () => {
  let service: TestService;
  let shop: Shop;
  let oid: string;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    oid = await shop.visit('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  /** Returns a body of exactly the maximum size, filled with an unknown field. */
  function filled(body: Record<string, unknown>): string {
    const length = Buffer.byteLength(JSON.stringify({ ...body, x: '' }));
    return JSON.stringify({ ...body, x: 'x'.repeat(MAX_BODY_BYTES - length) });
  }
  const report = (path: string, body: Record<string, unknown>) =>
    service.request('POST', `/v1/event/${path}`, { key: service.secretKey, body: filled(body) });
  const reports: Record<string, (n: number) => Promise<Reply>> = {
    leads: (n) => report('lead', { source: 'shop', externalId: `lead-${n}`, trackingId: oid }),
    sales: (n) => report('sale', { source: 'shop', externalId: `sale-${n}`, total: 1, trackingId: oid }),
  };

  /** Returns whether a report was rejected because too many bytes are waiting. */
  const isTooMuch = ({ status, text }: Reply): boolean => status === 503 && text.includes('bodies');

  /** Runs `work` while no report can be written to the database. */
  async function withoutWriting(work: () => Promise<void>): Promise<void> {
    const blocker = await service.database.connect();
    try {
      await blocker.query('begin');
      await blocker.query('lock table opportunities, transactions in access exclusive mode');
      await work();
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
  }

  async function storedSales(): Promise<string[]> {
    const { rows } = await service.database.query<{ id: string }>(
      "select external_id as id from transactions where external_id like 'sale-%'",
    );
    return rows.map(({ id }) => id);
  }

  for (const [what, send] of Object.entries(reports)) {
    it(`rejects the ${what} that don’t fit, with 503 and Retry-After, and accepts them when they are repeated`, async () => {
      let answers: Promise<Reply>[] = [];
      await withoutWriting(async () => {
        const rejected = Promise.withResolvers<Reply>();
        const deadline = setTimeout(() => rejected.reject(new Error(`none rejected in ${LIMIT_MS} ms`)), LIMIT_MS);
        answers = Array.from({ length: FITTING + TOO_MANY }, async (_, n) => {
          const reply = await send(n);
          if (isTooMuch(reply)) rejected.resolve(reply);
          return reply;
        });
        const reply = await rejected.promise;
        clearTimeout(deadline);
        assert.deepEqual([reply.status, problemCode(reply)], [503, 'unavailable']);
        assert.equal(reply.headers.get('retry-after'), '1');
        assert.equal(reply.headers.get('content-type'), 'application/problem+json');
        assert.equal((await service.request('GET', '/healthz')).status, 200);
        assert.equal((await service.request('GET', '/v1/programs', { key: service.secretKey })).status, 200);
      });
      const replies = await Promise.all(answers);
      // On a slow machine, writes can be blocked for longer than a report waits. Then waiting reports also get a 503.
      assert.ok(replies.every(({ status }) => status === 200 || status === 503));
      assert.ok(replies.filter(isTooMuch).length <= TOO_MANY);
      const rejected = replies.flatMap(({ status }, n) => (status === 503 ? [n] : []));
      for (const n of rejected) assert.equal((await send(n)).status, 200);
      if (what === 'sales') assert.deepEqual((await storedSales()).sort(), replies.map((_, n) => `sale-${n}`).sort());
    });
  }
});
