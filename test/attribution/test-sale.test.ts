import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verify } from '#verify/verify.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Tested = {
  readonly total: number;
  readonly currency: string;
  readonly explanation: {
    readonly kind: string;
    readonly base: number;
    readonly candidates: { collaboratorName: string; share?: number; reason?: string; steps?: string[] }[];
    readonly conversions: { status: string; amount: number; review?: string }[];
  };
  readonly ledgerEntries: { kind: string; amount: number; currency: string }[];
};

describe('POST /v1/transactions/test', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    const aliases = [
      { type: 'tracking', code: 'ada' },
      { type: 'coupon', code: 'ADA10' },
    ];
    ada = await shop.collaborator('Ada', { aliases });
  });
  after(() => service.stop());

  const send = (body: object): Promise<Reply> =>
    service.request('POST', '/v1/transactions/test', { key: service.secretKey, body });
  const run = async (body: object): Promise<Tested> => {
    const reply = await send(body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Tested;
  };

  /** Returns a hash of the rows of each table. Sequences are not included. */
  const books = async (): Promise<unknown[]> => {
    const { rows: tables } = await service.database.query<{ name: string }>(
      `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`,
    );
    const counted: unknown[] = [];
    for (const { name } of tables) {
      const { rows } = await service.database.query(
        `select '${name}' as name, md5(string_agg(t::text, ';' order by t::text)) as all_rows from ${name} t`,
      );
      counted.push(rows[0]);
    }
    return counted;
  };

  it('returns the conversion, its explanation and its ledger entries, and changes only the last use of the API key', async () => {
    const program = await shop.program({ autoApprove: true });
    const body = { url: 'https://hooks.example/', events: ['conversion.created'] };
    const webhook = await service.request('POST', '/v1/webhooks', { key: service.secretKey, body });
    assert.equal(webhook.status, 201, webhook.text);
    await service.settled();
    // The first call updates the key’s last use. The last use is recorded to the minute, so the second call doesn’t
    // update it again.
    await run({ collaboratorId: ada });
    const before = await books();
    const { total, currency, explanation, ledgerEntries } = await run({ collaboratorId: ada, total: 49.99 });
    assert.deepEqual(await books(), before);
    assert.deepEqual([total, currency, explanation.kind, explanation.base], [4999, 'USD', 'sale', 4999]);
    assert.deepEqual(
      explanation.candidates.map(({ collaboratorName, share, steps }) => [collaboratorName, share, steps]),
      [['Ada', 500, ['10% of 49.99 USD = 5.00 USD']]],
    );
    assert.deepEqual(
      explanation.conversions.map(({ status, amount }) => [status, amount]),
      [['approved', 500]],
    );
    assert.deepEqual(
      ledgerEntries.map(({ kind, amount }) => [kind, amount]),
      [['award', 500]],
    );
    await shop.change(`/v1/programs/${program}`, { status: 'inactive' });
  });

  it('doesn’t count earlier test sales toward caps', async () => {
    const program = await shop.program({ capPerPeriod: { amount: 700, period: 'month' } });
    for (let n = 0; n < 3; n += 1) {
      const { explanation } = await run({ collaboratorId: ada });
      assert.equal(explanation.candidates[0]?.share, 700);
    }
    assert.deepEqual((await verify(service.database)).breaches, []);
    await shop.change(`/v1/programs/${program}`, { status: 'inactive' });
  });

  it('can test a coupon, a custom event and a lead', async () => {
    await service.request('POST', '/v1/custom-events', {
      key: service.secretKey,
      body: { slug: 'quiz-done', name: 'Quiz' },
    });
    const programs = [
      await shop.program({ triggers: { 'coupon-applied': 1 } }),
      await shop.program({ triggers: { 'quiz-done': 1 }, reward: { type: 'percent', percent: 20 } }),
      await shop.program({ pays: ['lead'], reward: { type: 'per-lead', amount: 300 } }),
    ];
    const shares = async (body: object) =>
      (await run({ collaboratorId: ada, ...body })).explanation.candidates.flatMap(({ share }) => share ?? []);
    assert.deepEqual(await shares({ couponCode: 'ada10' }), [1000]);
    assert.deepEqual(await shares({ event: 'quiz-done' }), [2000]);
    assert.deepEqual(await shares({ kind: 'lead' }), [300]);
    for (const id of programs) await shop.change(`/v1/programs/${id}`, { status: 'inactive' });
  });

  it('refuses unknown and inactive collaborators and unknown events', async () => {
    const gone = await shop.collaborator('Gone', { status: 'inactive' });
    assert.deepEqual(faultCodes(await send({ collaboratorId: 99_999 })), { '/collaboratorId': 'unknown-collaborator' });
    assert.deepEqual(faultCodes(await send({ collaboratorId: gone })), { '/collaboratorId': 'inactive-collaborator' });
    const reply = await send({ collaboratorId: ada, event: 'nothing' });
    assert.deepEqual([reply.status, problemCode(reply)], [404, 'event-not-found']);
  });
});
