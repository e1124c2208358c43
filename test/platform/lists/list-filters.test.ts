import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { servedDocument } from '../../support/documented-answers.ts';
import { openReceiver, type Receiver } from '../../support/receiver.ts';
import { makePerson } from '../../support/people.ts';
import { loggedInCollaborator, openMailbox, openPortal } from '../../support/portal.ts';
import { openTill } from '../../support/payouts.ts';
import { startService, type TestService } from '../../support/service.ts';
import { openShop } from '../../support/shop.ts';
import { checkoutCompleted, connectStripe, eventOf, refundOf } from '../../support/stripe.ts';
import { waitUntilDelivered } from '../../support/webhooks.ts';

type Value = string | number;
type Row = Readonly<Record<string, unknown>>;
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly enum?: readonly (string | null)[] };
};
type List = {
  readonly path: string;
  readonly sorts: readonly string[];
  readonly filters: readonly Parameter[];
};

/**
 * Every list that a secret key can read, with its filters and sorts. The lists are read from the API document, so a new
 * list is included automatically. Lists that only a logged-in person can read have their own tests.
 */
const LISTS: readonly List[] = Object.entries(servedDocument('X-Service').paths).flatMap(([path, { get }]) => {
  const { parameters = [], security = [] } = (get ?? {}) as unknown as {
    parameters?: readonly Parameter[];
    security?: readonly object[];
  };
  if (!security.some((each) => 'secretKey' in each)) return [];
  const query = parameters.filter((each) => each.in === 'query');
  const sorts = query.find(({ name }) => name === 'sort')?.schema.enum;
  // Exclude pagination, sorting and search. Time ranges and filters with several values have their own tests.
  const filters = query.filter(
    ({ name }) => !/^(page|perPage|after|sort|from|until|search|ids)$|(From|Until|Ids)$/.test(name),
  );
  return sorts === undefined ? [] : [{ path, sorts: sorts.filter((sort) => typeof sort === 'string'), filters }];
});

const TIME = /(^a|A)t$/;

/** Filters by fields that the rows of the list don't have, or with several values. Separate tests cover these filters. */
const OF_OTHER_ROWS = new Set([
  '/v1/collaborators?tag',
  '/v1/conversions?review',
  '/v1/transactions?collaboratorId',
  '/v1/transactions?couponCode',
  '/v1/transactions?programId',
  '/v1/figures/collaborators?converted',
  '/v1/figures/collaborators?currency',
  '/v1/figures/collaborators?tag',
]);

/** The required filters of a list. */
const REQUIRED = new Map([['/v1/figures/collaborators', `${daysAround(Date.now())}&currency=USD&`]]);

/** An id that no row has. */
const NOBODYS_ID = 8_999_999;

describe('every list endpoint', () => {
  let service: TestService;
  let receiver: Receiver;
  let ids: Readonly<Record<string, number>>;
  before(async () => {
    receiver = await openReceiver();
    service = await startService({ WEBHOOKS_PRIVATE_ADDRESSES: 'true' });
    ids = await fillEveryList(service, receiver);
    // Wait for the delivery, because a delivery that is still being retried would change between two requests.
    await waitUntilDelivered(service, ids['webhooks'] ?? 0);
  });
  after(async () => {
    await service.stop();
    await receiver.close();
  });

  it('a list returns no rows for a state that the service never sets, and rejects unknown states', async () => {
    for (const [path, states] of [
      ['/v1/conversions', ['expired', 'deleted']],
      ['/v1/obligations', ['complete', 'cancelled']],
      ['/v1/payouts', ['processing', 'failed']],
    ] as const) {
      for (const state of states) {
        const reply = await service.request('GET', `${path}?status=${state}`, { key: service.secretKey });
        assert.deepEqual([reply.status, reply.body], [200, []], `${path} ${state}`);
      }
      const unknown = await service.request('GET', `${path}?status=lost`, { key: service.secretKey });
      assert.equal(unknown.status, 422, path);
    }
  });

  const get = async (path: string) => {
    const reply = await service.request('GET', path, { key: service.secretKey });
    assert.equal(reply.status, 200, `${path}: ${reply.text}`);
    return { rows: reply.body as Row[], link: reply.headers.get('link'), count: countOf(reply.headers) };
  };
  const fill = (path: string) =>
    `${path.replaceAll(/(\w[\w-]*)\/\{id\}/g, (_, noun: string) => `${noun}/${String(ids[noun])}`)}?${REQUIRED.get(path) ?? ''}`;

  it('the tests cover every list that a secret key can read', () => assert.equal(LISTS.length, 36));

  it('a list returns the rows of each requested opportunity or collaborator', async () => {
    for (const [list, name, field] of [
      ['engagements', 'opportunityIds', 'opportunityId'],
      ['transactions', 'opportunityIds', 'opportunityId'],
      ['balances', 'collaboratorIds', 'collaboratorId'],
    ] as const) {
      const { rows } = await get(`/v1/${list}?perPage=100`);
      const asked = [...new Set(rows.map((row) => row[field]))].slice(0, 2);
      const found = await get(`/v1/${list}?perPage=100&${name}=${asked.join(',')},${NOBODYS_ID}`);
      assert.deepEqual(
        found.rows,
        rows.filter((row) => asked.includes(row[field])),
        list,
      );
      assert.ok(found.rows.length > 0);
    }
  });

  it('the list of transactions returns each transaction of a collaborator or program once, despite several conversions', async () => {
    const { rows: conversions } = await get('/v1/conversions?perPage=100');
    const { rows: all } = await get('/v1/transactions?perPage=100');
    const idsOf = (rows: readonly Row[], field: string) => new Set(rows.map((row) => row[field]));
    for (const names of [['collaboratorId'], ['programId'], ['collaboratorId', 'programId']]) {
      for (const wanted of conversions) {
        const matching = conversions.filter((row) => names.every((name) => row[name] === wanted[name]));
        const query = names.map((name) => `${name}=${String(wanted[name])}`).join('&');
        const { rows, count } = await get(`/v1/transactions?perPage=100&${query}`);
        const sold = idsOf(matching, 'transactionId');
        assert.deepEqual(
          rows,
          all.filter((row) => sold.has(row['id'])),
          query,
        );
        assert.equal(count, rows.length);
      }
      const none = await get(`/v1/transactions?${names.map((name) => `${name}=${NOBODYS_ID}`).join('&')}`);
      assert.deepEqual(none.rows, []);
    }
    assert.ok(idsOf(conversions, 'collaboratorId').size > 1 && idsOf(conversions, 'programId').size > 1);
  });

  it('the list of conversions returns the conversions of each requested transaction', async () => {
    const { rows } = await get('/v1/conversions?perPage=100');
    const asked = [...new Set(rows.map((row) => row['transactionId']))].slice(0, 2);
    const found = await get(`/v1/conversions?perPage=100&transactionIds=${asked.join(',')},${NOBODYS_ID}`);
    assert.deepEqual(
      found.rows,
      rows.filter((row) => asked.includes(row['transactionId'])),
    );
  });

  for (const { path, sorts, filters } of LISTS) {
    it(`${path} returns exactly the matching rows for each filter by a field of its rows`, async () => {
      const { rows } = await get(`${fill(path)}perPage=100`);
      assert.ok(rows.length > 0);
      for (const { name, schema } of filters.filter((each) => !OF_OTHER_ROWS.has(`${path}?${each.name}`))) {
        const filtered = (value: Value) => get(`${fill(path)}perPage=100&${name}=${encodeURIComponent(value)}`);
        const present = new Set(rows.map((row) => valueOf(row, name)).filter((value) => value !== null));
        assert.ok(present.size > 0, `a row has ${name}`);
        for (const value of new Set([...present, ...(schema.enum ?? []).filter((each) => each !== null)])) {
          const found = await filtered(value);
          assert.ok(
            found.rows.every((row) => valueOf(row, name) === value),
            `${name}=${value}`,
          );
          assert.equal(found.count, found.rows.length);
          // A filter by status also returns rows that are hidden by default.
          if (present.has(value)) {
            const expected = rows.filter((row) => valueOf(row, name) === value);
            assert.deepEqual(found.rows, expected, `${name}=${value}`);
          }
        }
        if (schema.enum === undefined) {
          assert.deepEqual((await filtered(nobodys(name, [...present][0]))).rows, [], `nobody has this ${name}`);
        }
      }
    });

    it(`${path} is sorted by ${sorts.filter((sort) => !sort.startsWith('-')).join(', ')}, with pagination`, async () => {
      const key = sorts[0] as string;
      for (const sort of sorts) {
        const walked: Row[] = [];
        for (let next: string | undefined = `${fill(path)}perPage=3&sort=${sort}`; next !== undefined;) {
          const { rows, link } = await get(next);
          walked.push(...rows);
          next = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
        }
        // The public numbers of opportunities look random, but sorting by `id` sorts opportunities by creation.
        const field = path === '/v1/opportunities' ? 'createdAt' : sort.replace('-', '');
        const expected = (await get(`${fill(path)}perPage=100`)).rows.toSorted((a, b) => {
          const order = compared(a[field], b[field]) || compared(a[key], b[key]);
          return sort.startsWith('-') ? -order : order;
        });
        // Times are sorted by microsecond but shown with milliseconds. The test can't check the order of rows with
        // equal shown times.
        const shown = (row: Row) => (TIME.test(field) ? row[field] : [row[field], row[key]]);
        assert.deepEqual(walked.map(shown), expected.map(shown), sort);
        assert.equal(new Set(walked.map((row) => row[key])).size, expected.length, 'each row is listed once');
      }
    });
  }
});

/** Returns a query for the days around a time, in milliseconds since 1970. */
function daysAround(time: number): string {
  const [from, until] = [-7, 2].map((days) => new Date(time + days * 86_400_000).toISOString().slice(0, 10));
  return `from=${from}&until=${until}`;
}

function countOf(headers: Headers): number {
  return Number(headers.get('x-service-estimated-count'));
}

/**
 * Returns the value of a row's field. If the value is an object, returns its `state`. Returns null if there is no
 * value, and for the currency XXX of a lead.
 */
function valueOf(row: Row, name: string): Value | null {
  if (name === 'currency' && row[name] === 'XXX') return null;
  const value = (row[name] ?? null) as Value | { readonly state: string } | null;
  return typeof value === 'object' && value !== null ? value.state : value;
}

function nobodys(name: string, value: Value | undefined): Value {
  if (name === 'currency') return 'ZAR';
  return typeof value === 'number' ? NOBODYS_ID : 'nobodys';
}

function compared(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : Number(String(one) > String(other));
}

/** Creates rows in every list, with a value for every filter. Returns the ids that paths contain, by resource. */
async function fillEveryList(service: TestService, receiver: Receiver): Promise<Record<string, number>> {
  const shop = openShop(service);
  const till = openTill(service);
  const call = async <Body = { id: number }>(method: string, path: string, body?: object): Promise<Body> => {
    const reply = await service.request(method, path, { key: service.secretKey, body });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body as Body;
  };
  const made = async (path: string, body: object) => (await call('POST', path, body)).id;

  const webhooks = await made('/v1/webhooks', { url: receiver.url, events: ['collaborator.created'] });
  const resting = await made('/v1/webhooks', { url: 'https://two.example/' });
  await call('PATCH', `/v1/webhooks/${resting}`, { status: 'paused' });
  await call('DELETE', `/v1/webhooks/${await made('/v1/webhooks', { url: 'https://three.example/' })}`);
  await made(`/v1/webhooks/${webhooks}/test`, {});

  const stripe = await connectStripe(service);
  await connectStripe(service);
  await stripe.send(
    eventOf('plan.created', { id: 'plan_1' }),
    checkoutCompleted({ mode: 'payment', payment_intent: 'pi_1', amount_total: 900 }),
    refundOf('refund.created', { id: 're_1', payment_intent: 'pi_2', amount: 100 }),
    eventOf('plan.updated', { id: 'plan_1' }),
  );

  await makePerson(service, 'owner', 'ada@mugs.example');
  await makePerson(service, 'manager', 'bo@mugs.example');
  const { id: gone } = await makePerson(service, 'viewer', 'cy@mugs.example');
  await makePerson(service, 'viewer', 'di@mugs.example');
  await call('DELETE', `/v1/people/${gone}`);

  const ada = await shop.collaborator('ada', { email: 'ada@shop.example', nickname: 'ada', userId: 7 });
  const bo = await shop.collaborator('bo', { email: 'bo@shop.example', nickname: 'bo', userId: 8 });
  await shop.collaborator('cy', { status: 'pending' });
  await call('DELETE', `/v1/collaborators/${await shop.collaborator('di')}`);
  for (const text of ['First', 'Second']) await made(`/v1/collaborators/${ada}/notes`, { text });
  await made(`/v1/collaborators/${ada}/aliases`, { type: 'coupon', code: 'ada-coupon' });
  const retired = await made(`/v1/collaborators/${ada}/aliases`, { type: 'coupon', code: 'gone' });
  await call('DELETE', `/v1/collaborators/${ada}/aliases/${retired}`);

  await made('/v1/custom-events', { slug: 'quiz', name: 'Quiz' });
  const second = await made('/v1/custom-events', { slug: 'poll', name: 'Poll' });
  await call('DELETE', `/v1/custom-events/${second}`);
  await made('/v1/custom-events', { slug: 'form', name: 'Form' });
  await made('/v1/fraud-list-entries', { list: 'allow', kind: 'network', value: '203.0.113.0/24' });
  await made('/v1/fraud-list-entries', { list: 'deny', kind: 'referrer', value: '*.deals.example' });
  const farm = { list: 'deny', kind: 'email-domain', value: 'farm.example' };
  await call('DELETE', `/v1/fraud-list-entries/${await made('/v1/fraud-list-entries', farm)}`);

  const triggers = { 'site-visit': 1, 'coupon-applied': 1, quiz: 1 };
  const pays = ['sale', 'renewal'];
  const programs = await shop.program({ name: 'percent', triggers, pays, autoApprove: true });
  const leads = await shop.program({ name: 'leads', reward: { type: 'per-lead', amount: 500 }, attribution: 'linear' });
  await shop.program({ name: 'draft', status: 'draft', currency: 'EUR', enrollment: 'selected' });
  await call('DELETE', `/v1/programs/${await shop.program({ name: 'gone' })}`);
  await made('/v1/program-groups', { name: 'one', rule: 'newest', programIds: [programs] });
  await made('/v1/program-groups', { name: 'two', rule: 'oldest', programIds: [leads] });
  await call(
    'DELETE',
    `/v1/program-groups/${await made('/v1/program-groups', { name: 'three', rule: 'newest', programIds: [] })}`,
  );
  await call('PATCH', `/v1/programs/${programs}`, { status: 'inactive' });
  await call('PATCH', `/v1/programs/${programs}`, { status: 'active' });
  for (const collaboratorId of [ada, bo]) {
    await call('POST', `/v1/programs/${programs}/collaborators`, { collaboratorId });
  }
  await call('DELETE', `/v1/programs/${programs}/collaborators/${bo}`);
  await made('/v1/api-keys', { label: 'reporter', scopes: ['events:write'] });

  const mailbox = await openMailbox(service);
  const portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
  for (const programId of [programs, leads]) {
    await call('PATCH', `/v1/programs/${programId}/sign-up`, { mode: 'approval' });
    const signUp = await portal.visit('POST', '/sign-ups', { programId, name: 'Ada', email: 'ada@shop.example' });
    assert.equal(signUp.status, 200, signUp.text);
    const { token } = await mailbox.entryOf('ada@shop.example');
    loggedInCollaborator(service, await portal.visit('POST', '/sessions', { token }));
  }

  // Create payouts that are paid, void and flagged, and a sale that is not in a payout yet.
  const oid = await shop.visit('ada', { userId: 21 });
  const other = await shop.visit('bo', { userId: 22 });
  await shop.applyCoupon('ada-coupon', oid);
  await shop.custom('quiz', oid, ada);
  await shop.sell('first', oid, { total: 30 });
  await shop.sell('second', other, { total: 20, currency: 'EUR' });
  await shop.lead(other);
  await service.settled();
  await shop.renew('renewal', 'first', { total: 10 });
  await service.settled();
  for (const run of await till.run()) await till.move((await till.move(run.id, 'process')).id, 'complete');
  await shop.sell('third', other, { total: 40, source: 'stall' });
  await service.settled();
  await till.move((await till.runOne()).id, 'fail');
  const flagged = await till.runOne();
  await service.request('POST', '/v1/event/refund', {
    key: service.secretKey,
    body: { source: 'stall', externalId: 'third' },
  });
  await shop.sell('fourth', oid, { total: 50, currency: 'EUR' });
  await service.settled();
  const { id } = await shop.transactionOf('second');
  await call('POST', `/v1/transactions/${id}/credits`, { collaboratorId: ada, programId: programs, amount: 5 });
  assert.deepEqual(
    (await till.payoutsOf(flagged)).map(({ review }) => review.state),
    ['flagged'],
  );
  for (const programId of [programs, programs, leads]) await made('/v1/invitation-links', { programId });
  for (const programId of [programs, leads, undefined])
    await made('/v1/materials', { title: 'Post', text: 'x', programId });
  for (const text of ['First', 'Second', 'Third']) await shop.change('/v1/partner-agreement', { text });
  await service.database.query(
    `insert into agreement_acceptances (organization_id, collaborator_id, version)
     select organization_id, id, version from collaborators, generate_series(1, 2) version where id = $1`,
    [ada],
  );
  await service.database.query(
    `insert into payout_requests (organization_id, collaborator_id, currency)
     select organization_id, id, currency from collaborators, unnest(array['EUR', 'USD']) currency where id in ($1, $2)`,
    [ada, bo],
  );
  // Insert ended backtests, because the worker would run waiting ones.
  await service.database.query(
    `insert into backtests
       (organization_id, program_id, program_version, drafts, from_day, until_day, author, status, failure, created_at, ended_at)
     select organization_id, id, 1, '[]', '2026-01-01', '2026-02-01', 'key ' || n, status, failure,
       now() - n * interval '1 day', now()
     from programs,
       (values ('canceled', null, 1), ('failed', 'interrupted', 2), ('failed', 'result-too-large', 3)) s (status, failure, n)
     where id in ($1, $2)`,
    [programs, leads],
  );
  // Insert announcements into the database, because sending them needs a mail server.
  await service.database.query(
    `insert into announcements (organization_id, subject, text, recipients, author, created_at)
     select 1, 'News ' || n, 'Text', n, 'key 1', now() - n * interval '1 day' from generate_series(1, 3) n`,
  );

  return { webhooks, connectors: stripe.id, collaborators: ada, programs };
}
