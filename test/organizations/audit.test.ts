import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { servedDocument } from '../support/documented-answers.ts';
import { openTill, type Payout } from '../support/payouts.ts';
import { makePerson, type Member } from '../support/people.ts';
import { runCommand } from '../support/process.ts';
import { faultCodes } from '../support/replies.ts';
import { type RequestOptions, startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { interfaceOf } from '../../tools/fuzz/interface.ts';

type Entry = {
  id: number;
  at: string;
  author: string;
  operation: string;
  path: string;
  request: Record<string, unknown> | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

/**
 * Every operation in the OpenAPI document that changes money. In its audit record, `before` is the resource as returned
 * by GET. It is null for a new resource or a result file, and a list of the earlier statuses for a bulk call. The tests
 * fail for a new operation until `moneyStories` has a scenario for it.
 */
const MONEY = interfaceOf(servedDocument('X-Service')).calls.filter(
  ({ path, method, security }) =>
    method !== 'GET' &&
    // A test sale is rolled back, so it changes nothing.
    path !== '/v1/transactions/test' &&
    // Downloads are recorded, but they change nothing (payment-files.test.ts, year-export.test.ts).
    !/\/(payment-files|year-export)$/.test(path) &&
    /^\/v1\/(conversions|events|fulfillments|payouts|transactions)\b/.test(path) &&
    security.some(({ secretKey }) => secretKey?.includes('resources:write')),
);

describe('audit records', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
  });
  after(() => service.stop());

  const call = (method: string, path: string, options: RequestOptions = {}) =>
    service.request(method, path, { key: service.secretKey, ...options });
  const entries = (query = '') => shop.get<Entry[]>(`/v1/audit-entries${query}`);
  const count = async (): Promise<number> =>
    (await service.database.query<{ n: number }>('select count(*) as n from audit_entries')).rows[0]?.n ?? NaN;
  const last = async (): Promise<Entry> => {
    const [entry] = await entries('?perPage=1');
    assert.ok(entry, 'the audit log has a record');
    return entry;
  };
  const make = async (path: string, body: unknown): Promise<number> =>
    ((await call('POST', path, { body })).body as { id: number }).id;

  it('show the author of a change, the request, and the resource before and after it', async () => {
    const id = await shop.program({ name: 'Before' });
    const path = `/v1/programs/${id}`;
    const shown = await shop.get<Entry['before']>(path);
    const changed = await call('PATCH', path, { body: { name: 'After', priority: 3 } });
    const entry = await last();
    const keys = await shop.get<{ id: number; label: string }[]>('/v1/api-keys?kind=secret&label=First key');
    assert.deepEqual([entry.author, entry.operation, entry.path], [`key ${keys[0]?.id}`, 'changeProgram', path]);
    assert.deepEqual(entry.request, { name: 'After', priority: 3 });
    assert.deepEqual([entry.before, entry.after], [shown, changed.body]);
    assert.equal(entry.at, (changed.body as { updatedAt: string }).updatedAt);
    assert.deepEqual(await shop.get(`/v1/audit-entries/${entry.id}`), entry);
  });

  it('show the new resource of a creation and the former resource of a deletion', async () => {
    const made = await call('POST', '/v1/collaborators', { body: { name: 'Ada', email: 'ada@example.com' } });
    const creation = await last();
    assert.deepEqual([creation.operation, creation.path], ['createCollaborator', '/v1/collaborators']);
    assert.deepEqual([creation.before, creation.after], [null, made.body]);
    const deleted = await call('DELETE', `/v1/collaborators/${(made.body as { id: number }).id}`);
    const deletion = await last();
    assert.deepEqual([deletion.request, deletion.before, deletion.after], [null, made.body, deleted.body]);
  });

  it('show how an action changed a conversion that was approved and then rejected', async () => {
    await shop.program();
    await shop.collaborator('bea');
    await shop.sell('audited', await shop.visit('bea'));
    await service.settled();
    const [conversion] = await shop.earned('audited');
    const path = `/v1/conversions/${conversion?.id}`;
    await call('POST', `${path}/approve`);
    const approval = await last();
    await call('POST', `${path}/reject`, { body: { reason: 'Fraud' } });
    const rejection = await last();
    assert.deepEqual([approval.operation, approval.path], ['approveConversion', `${path}/approve`]);
    assert.deepEqual([approval.before?.['status'], approval.after?.['status']], ['pending', 'approved']);
    assert.deepEqual([rejection.before, rejection.request], [approval.after, { reason: 'Fraud' }]);
    assert.equal(rejection.after?.['status'], 'rejected');
  });

  it('record concurrent changes of one resource in sequence, each starting from the previous result', async () => {
    const id = await make('/v1/custom-events', { slug: 'once', name: 'Once' });
    const collaborator = await shop.collaborator('chain');
    const names = Array.from({ length: 12 }, (_, n) => `Chain ${n}`);
    await Promise.all([
      ...names.map((name) => call('PATCH', `/v1/collaborators/${collaborator}`, { body: { name } })),
      ...names.map(() => call('DELETE', `/v1/custom-events/${id}`)),
    ]);
    const chain = await entries(`?path=/v1/collaborators/${collaborator}&sort=id`);
    assert.equal(chain.length, names.length);
    for (const [index, entry] of chain.entries()) {
      if (index > 0) assert.deepEqual(entry.before, chain[index - 1]?.after);
    }
    const deletions = await entries(`?path=/v1/custom-events/${id}`);
    assert.deepEqual(
      deletions.map(({ before: was, after: is }) => [was?.['status'], is?.['status']]),
      [['active', 'deleted']],
    );
  });

  it('include one record for a bulk call, with the outcome of each resource', async () => {
    await shop.sell('many', await shop.visit('bea'));
    await service.settled();
    const [conversion] = await shop.earned('many');
    const body = { action: 'approve', ids: [conversion?.id, 8_999_999] };
    const earlier = await count();
    const reply = await call('POST', '/v1/conversions/bulk', { body });
    const entry = await last();
    assert.equal(await count(), earlier + 1);
    assert.deepEqual([entry.operation, entry.request], ['reviewConversions', body]);
    assert.deepEqual(entry.before, [{ id: conversion?.id, status: 'pending' }]);
    assert.deepEqual(entry.after, reply.body);
  });

  it('omit calls that changed nothing: reads, previews, payout exports, refusals and repeated calls', async () => {
    const id = await shop.collaborator('none');
    const path = `/v1/collaborators/${id}`;
    const headers = { 'idempotency-key': 'audited-once' };
    const once = () => call('POST', '/v1/collaborators', { body: { name: 'Once' }, headers });
    await once();
    const earlier = await count();
    for (const [status, reply] of [
      [200, call('GET', path)],
      [200, call('POST', '/v1/fulfillments/preview', { body: {} })],
      [200, call('POST', '/v1/payouts/export', { body: {} })],
      [422, call('PATCH', path, { body: { name: '' } })],
      [404, call('PATCH', '/v1/collaborators/8999999', { body: { name: 'x' } })],
      [412, call('PATCH', path, { body: { name: 'x' }, headers: { 'if-match': '"other"' } })],
      [409, call('PATCH', path, { body: { status: 'rejected' } })],
      [200, call('PATCH', path, { body: { name: 'none' } })],
      [201, once()],
    ] as const) {
      assert.equal((await reply).status, status);
    }
    await shop.visit('none');
    assert.equal(await count(), earlier);
  });

  it('show a created API key without its secret text', async () => {
    const reply = await call('POST', '/v1/api-keys', { body: { label: 'Hidden' } });
    const { rawKey, ...shown } = reply.body as { rawKey: string };
    assert.deepEqual((await last()).after, shown);
    const { rows } = await service.database.query<{ n: number }>(
      `select count(*) as n from audit_entries e where position($1 in e::text) > 0`,
      [rawKey],
    );
    assert.equal(rows[0]?.n, 0);
  });

  it('keep only the length of a very long request', async () => {
    const body = { slug: 'long-request', name: 'Long', more: 'x'.repeat(16_384) };
    const made = await call('POST', '/v1/custom-events', { body });
    assert.equal(made.status, 201, made.text);
    const [entry] = (await call('GET', '/v1/audit-entries?operation=createCustomEvent&sort=-id')).body as Entry[];
    assert.match(JSON.stringify(entry?.request), /^\{"omitted":"The request had 164\d\d bytes\."\}$/);
  });

  it('keep the request body exactly as sent, even if other columns can’t hold its values', async () => {
    const body = `{"name":"Odd","note":"\\u0000\\ud800","rate":1.10,"more":123456789012345678901234567890,"list":[-0]}`;
    assert.equal(
      (await call('POST', '/v1/collaborators', { body, headers: { 'content-type': 'application/json' } })).status,
      201,
    );
    const { rows } = await service.database.query<{ request: string }>(
      'select request::text from audit_entries order by id desc limit 1',
    );
    assert.equal(rows[0]?.request, body);
    assert.equal((await last()).request?.['name'], 'Odd');
  });

  describe('audit records of calls that change money', () => {
    let bookkeeper: Member;
    let books: Shop;
    let stories: Readonly<Record<string, () => Promise<Asked>>>;
    before(async () => {
      const secretKey = await service.foundOrganization('Money');
      const theirs = { ...service, secretKey };
      bookkeeper = await makePerson(service, 'manager', 'books@mugs.example', secretKey);
      books = openShop(theirs);
      stories = await moneyStories(theirs, books);
    });

    it('are tested with a scenario for each such call', () => {
      assert.deepEqual(MONEY.map(({ id }) => id).sort(), Object.keys(stories).sort());
    });

    for (const { id: operationId } of MONEY)
      it(`show for ${operationId} the author, the time and the state before and after`, async () => {
        const {
          path,
          body,
          was,
          recorded = body ?? null,
        } = (await stories[operationId]?.()) ?? assert.fail('it has a story');
        const shown = was === 'shown' ? await books.get(path.slice(0, path.lastIndexOf('/'))) : was;
        const [earlier] = await books.get<Entry[]>('/v1/audit-entries?perPage=1');
        const since = Date.now();
        const reply = await bookkeeper.call('POST', path, body);
        assert.ok(reply.status < 300, reply.text);
        const [entry, last] = await books.get<Entry[]>('/v1/audit-entries?perPage=2');
        assert.ok(entry);
        assert.equal(last?.id, earlier?.id, 'only one record is written');
        assert.deepEqual([entry.author, entry.operation], [`person ${bookkeeper.id}`, operationId]);
        assert.deepEqual([entry.path, entry.request], [path, recorded]);
        assert.ok(Math.abs(Date.parse(entry.at) - since) < 60_000);
        assert.deepEqual([entry.before, entry.after], [shown, reply.body]);
        assert.notDeepEqual(entry.before, entry.after);
      });
  });

  it('can be filtered, sorted and paged, only within the organization', async () => {
    const all = await entries('?perPage=100');
    const ids = all.map(({ id }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    );
    assert.deepEqual(
      (await entries('?perPage=100&sort=at')).map(({ at }) => at),
      all.map(({ at }) => at).toSorted(),
    );
    const [{ author, path } = { author: '', path: '' }] = all;
    const created = await entries('?operation=createCollaborator&perPage=100');
    assert.deepEqual(
      created,
      all.filter(({ operation }) => operation === 'createCollaborator'),
    );
    assert.deepEqual(
      await entries(`?author=${author}&perPage=100`),
      all.filter((each) => each.author === author),
    );
    assert.deepEqual(
      await entries(`?path=${path}&perPage=100`),
      all.filter((each) => each.path === path),
    );
    const first = await call('GET', '/v1/audit-entries?perPage=2');
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    assert.deepEqual(
      (await shop.get<Entry[]>(next)).map(({ id }) => id),
      ids.slice(2, 4),
    );
    const wrong = await call('GET', '/v1/audit-entries?sort=path&keys=1');
    assert.deepEqual(faultCodes(wrong), { '/sort': 'unknown-value', '/keys': 'unknown-parameter' });

    const key = await service.foundOrganization('Other');
    assert.equal((await call('GET', `/v1/audit-entries/${ids[0]}`, { key })).status, 404);
    const theirs = (await call('GET', '/v1/audit-entries', { key })).body as Entry[];
    assert.deepEqual(
      theirs.map(({ operation }) => operation),
      ['foundOrganization'],
    );
  });

  it('can’t be updated, deleted or truncated', async () => {
    for (const statement of [
      `update audit_entries set author = 'nobody'`,
      'delete from audit_entries',
      'truncate audit_entries',
    ]) {
      await assert.rejects(service.database.query(statement), /audit_entries is append-only/);
    }
  });

  it('include changes made with the command line', async () => {
    const url = service.databaseUrl;
    const { code, printed } = await runCommand(['key', 'create', '--label', 'Lost'], { DATABASE_URL: url });
    assert.equal(code, 0, printed);
    const entry = await last();
    assert.deepEqual([entry.author, entry.operation], ['command line', 'createApiKey']);
    assert.deepEqual(entry.request, { kind: 'secret', label: 'Lost' });
    assert.equal(entry.after?.['label'], 'Lost');
    assert.ok(!JSON.stringify(entry).includes(printed.trim()));
  });
});

/** A call and the `before` of its audit record: `shown` for the resource as returned by GET, null, or old statuses. */
type Asked = {
  readonly path: string;
  readonly body?: Record<string, unknown>;
  /** The request in the record. The default is the body. */
  readonly recorded?: object;
  readonly was: 'shown' | null | readonly { readonly id: number; readonly status: string }[];
};

/** Returns scenarios by operation id. Sales are in fraud review, so that their conversions stay pending. */
async function moneyStories(service: TestService, shop: Shop): Promise<Readonly<Record<string, () => Promise<Asked>>>> {
  const till = openTill(service);
  const holds = { visitsFromAddress: null, visitsOfCollaborator: null, ownCoupon: false, secondsToSale: 3_600 };
  const programId = await shop.program({ autoApprove: true, holds });
  await shop.collaborator('ada');
  const other = await shop.collaborator('other');
  let sales = 0;
  const sold = async () => {
    const order = `order-${(sales += 1)}`;
    await shop.sell(order, await shop.visit('ada'));
    const [conversion] = await shop.earned(order);
    assert.equal(conversion?.status, 'pending');
    return { order, ...conversion };
  };
  const approved = async () => {
    const conversion = await sold();
    const path = `/v1/conversions/${conversion.id}/approve`;
    assert.equal((await service.request('POST', path, { key: service.secretKey })).status, 200);
    return conversion;
  };
  const run = async () => {
    await approved();
    return till.runOne();
  };
  const payout = async (): Promise<Payout> => (await till.payoutsOf(await run()))[0] ?? assert.fail('it pays somebody');
  const flagged = async (): Promise<Payout> => {
    const { order } = await approved();
    const [paid] = await till.payoutsOf(await till.runOne());
    await shop.refund(order);
    await service.settled();
    return paid ?? assert.fail('it pays somebody');
  };
  const word = { resolution: 'claw-back', note: 'It came back' };
  const one = (noun: string, id: number, verb: string, body?: Record<string, unknown>): Asked => ({
    path: `/v1/${noun}/${id}/${verb}`,
    was: 'shown',
    ...(body && { body }),
  });
  return {
    approveConversion: async () => one('conversions', (await sold()).id, 'approve'),
    releaseConversion: async () => one('conversions', (await sold()).id, 'release'),
    rejectConversion: async () => one('conversions', (await sold()).id, 'reject', { reason: 'Fraud' }),
    reviewConversions: async () => {
      const { id } = await sold();
      const body = { action: 'reject', ids: [id], reason: 'Fraud' };
      return { path: '/v1/conversions/bulk', body, was: [{ id, status: 'pending' }] };
    },
    creditTransaction: async () => {
      const { transactionId } = await sold();
      const body = { collaboratorId: other, programId, amount: 300 };
      return { path: `/v1/transactions/${transactionId}/credits`, body, was: null };
    },
    createFulfillments: async () => {
      await approved();
      return { path: '/v1/fulfillments', body: {}, was: null };
    },
    processFulfillment: async () => one('fulfillments', (await run()).id, 'process'),
    completeFulfillment: async () => one('fulfillments', (await till.move((await run()).id, 'process')).id, 'complete'),
    failFulfillment: async () => one('fulfillments', (await run()).id, 'fail'),
    markPayoutPaid: async () => one('payouts', (await payout()).id, 'mark-paid'),
    markPayoutUnpaid: async () => one('payouts', (await till.mark((await payout()).id, 'paid')).id, 'mark-unpaid'),
    failPayout: async () => one('payouts', (await payout()).id, 'fail', { reason: 'Account closed' }),
    importPayoutResults: async () => {
      const { id, amount, currency } = await payout();
      const file = `reference,amount,currency,status,reason\nPAYOUT-${id},${amount / 100},${currency},paid,`;
      return { path: '/v1/payouts/results', body: { file }, recorded: {}, was: null };
    },
    markPayouts: async () => {
      const { id } = await payout();
      return { path: '/v1/payouts/bulk', body: { action: 'mark-paid', ids: [id] }, was: [{ id, status: 'unpaid' }] };
    },
    reviewPayout: async () => one('payouts', (await flagged()).id, 'review', word),
    reviewManyPayouts: async () => {
      const { id, status } = await flagged();
      return { path: '/v1/payouts/review', body: { ...word, ids: [id] }, was: [{ id, status }] };
    },
    retryEvent: async () => {
      const { transactionId } = await sold();
      const { rows } = await service.database.query<{ id: number }>(
        `insert into jobs (organization_id, event_id, transaction_id, type, attempts, run_at, dead_lettered_at, error)
         select organization_id, id, transaction_id, type, 5, now() + interval '1 day', now(), 'boom'
         from events where transaction_id = $1 returning event_id as id`,
        [transactionId],
      );
      return one('events', rows[0]?.id ?? 0, 'retry');
    },
  };
}
