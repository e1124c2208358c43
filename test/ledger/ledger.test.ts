import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill, type Till } from '../support/payouts.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { extendAllChains } from '../support/chain.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { genesisHash } from '#ledger/domain/ledger.ts';
import type { OrganizationId } from '#core/ids.ts';
import { verify } from '#verify/verify.ts';

type Entry = {
  id: number;
  kind: string;
  collaboratorId: number;
  currency: string;
  amount: number;
  debit: string;
  credit: string;
  obligationId: number | null;
  payoutId: number | null;
  conversionId: number | null;
  transactionId: number | null;
  occurredAt: string;
};
type Checkpoint = {
  number: number;
  hash: string;
  entries: number;
  lastEntryId: number | null;
  sealedAt: string | null;
};

describe('GET /v1/ledger-entries', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let ada: number;
  let payoutId: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    ada = await shop.collaborator('ada');
    await shop.collaborator('bob');
    await shop.sell('l1', await shop.visit('ada'));
    await shop.sell('l2', await shop.visit('bob'), { currency: 'EUR' });
    await service.settled();
    const run = await till.runOne({ currency: 'USD' });
    payoutId = (await till.payoutsOf(run))[0]?.id ?? 0;
    await till.mark(payoutId, 'paid');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const list = (query: string) => shop.get<Entry[]>(`/v1/ledger-entries?${query}`);

  it('returns each ledger entry with the ids of its obligation, conversion, transaction and payout, or null', async () => {
    const entries = await list(`collaboratorId=${ada}&sort=id`);
    const [conversion] = await shop.earned('l1');
    assert.deepEqual(
      entries.map(({ kind, amount, debit, credit }) => [kind, amount, debit, credit]),
      [
        ['award', 1000, 'expense', 'pending'],
        ['fulfil', 1000, 'pending', 'in-payout'],
        ['pay', 1000, 'in-payout', 'paid'],
      ],
    );
    const about = (entry: Entry | undefined) => [
      entry?.obligationId,
      entry?.conversionId,
      entry?.transactionId,
      entry?.payoutId,
    ];
    const sale = [conversion?.obligationId, conversion?.id, conversion?.transactionId];
    assert.deepEqual(about(entries[0]), [...sale, null]);
    assert.deepEqual(about(entries[1]), [...sale, payoutId]);
    assert.deepEqual(about(entries[2]), [null, null, null, payoutId]);
    assert.match(entries[0]?.occurredAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('lists the newest ledger entries first, with filters and pages', async () => {
    const all = await list('');
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map(({ id }) => id).sort((a, b) => b - a),
    );
    const [conversion] = await shop.earned('l1');
    const kinds = async (query: string) => (await list(query)).map(({ kind }) => kind);
    assert.deepEqual(await kinds('currency=eur'), ['award']);
    assert.deepEqual(await kinds('kind=pay'), ['pay']);
    assert.deepEqual(await kinds(`payoutId=${payoutId}`), ['pay', 'fulfil']);
    assert.deepEqual(await kinds(`obligationId=${conversion?.obligationId}&sort=id`), ['award', 'fulfil']);
    const walked: number[] = [];
    for (let next: string | undefined = '/v1/ledger-entries?perPage=1&sort=id'; next !== undefined;) {
      const reply = await service.request('GET', next, { key: service.secretKey });
      walked.push(...(reply.body as Entry[]).map(({ id }) => id));
      next = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(walked, all.map(({ id }) => id).reverse());
  });

  it('rejects an unknown sort or filter', async () => {
    const reply = await service.request('GET', '/v1/ledger-entries?sort=amount&account=draft', {
      key: service.secretKey,
    });
    assert.equal(reply.status, 422);
    assert.deepEqual(faultCodes(reply), { '/sort': 'unknown-value', '/account': 'unknown-parameter' });
  });
});

describe('GET /v1/ledger/checkpoint', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    // Without a worker, only the tests of this file chain ledger entries.
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
  });
  after(() => service.stop());

  const checkpoint = (query = '') => shop.get<Checkpoint>(`/v1/ledger/checkpoint${query}`);

  it('returns the start of the chain for an empty ledger', async () => {
    const { rows } = await service.database.query<{ id: OrganizationId }>('select id from organizations');
    const hash = genesisHash(rows[0]?.id as OrganizationId);
    assert.deepEqual(await checkpoint(), { number: 0, hash, entries: 0, lastEntryId: null, sealedAt: null });
  });

  it('returns a new checkpoint once ledger entries are chained, and still returns earlier checkpoints', async () => {
    const collaboratorId = await shop.collaborator('ada');
    const write = (amount: number) =>
      service.database.query(
        `insert into ledger_entries (organization_id, kind, collaborator_id, currency, amount, debit, credit, payout_id)
         select id, 'pay', $1, 'USD', $2, 'in-payout', 'paid', 1 from organizations`,
        [collaboratorId, amount],
      );
    await write(1);
    await write(2);
    await extendAllChains(service.database);
    const first = await checkpoint();
    assert.deepEqual([first.number, first.entries], [1, 2]);
    await write(3);
    assert.deepEqual(await checkpoint(), first, 'new entries are not in the chain yet');
    await extendAllChains(service.database);
    const second = await checkpoint();
    assert.deepEqual([second.number, second.entries], [2, 3]);
    assert.notEqual(second.hash, first.hash);
    assert.equal((second.lastEntryId ?? 0) > (first.lastEntryId ?? 0), true);
    assert.deepEqual(await checkpoint('?number=1'), first);
    assert.equal((await checkpoint('?number=0')).entries, 0);
  });

  it('returns a different checkpoint for another organization', async () => {
    const key = await service.foundOrganization('Other');
    const reply = await service.request('GET', '/v1/ledger/checkpoint', { key });
    assert.equal((reply.body as Checkpoint).entries, 0);
    assert.notEqual((reply.body as Checkpoint).hash, (await checkpoint('?number=0')).hash);
  });

  it('returns 404 for a checkpoint that does not exist yet', async () => {
    const reply = await service.request('GET', '/v1/ledger/checkpoint?number=3', { key: service.secretKey });
    assert.deepEqual([reply.status, problemCode(reply)], [404, 'not-found']);
  });
});
