import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operations } from '#app/operations.ts';
import type { Operation } from '#core/contract/operation.ts';
import { servedDocument } from '../support/documented-answers.ts';
import { openTill, TAX_DETAILS } from '../support/payouts.ts';
import { type Collaborator, type Mailbox, openMailbox, openPortal } from '../support/portal.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop } from '../support/shop.ts';

/**
 * A collaborator whose codes and orders contain `mark`, and the id of one resource of each kind that the collaborator
 * has.
 */
type Marked = {
  readonly mark: string;
  readonly inside: Collaborator;
  readonly id: number;
  readonly aliasId: number;
  readonly passkeyId: number;
  readonly sessionId: number;
  readonly conversionId: number;
  readonly payoutId: number;
};

const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** The days that the tests query, which include any midnight during the tests. `until` is exclusive. */
const DAYS = { from: dayFromNow(-1), until: dayFromNow(2), count: 3 };

let service: TestService;
let mailbox: Mailbox;
let ada: Marked;
let others: readonly Marked[];
before(async () => {
  service = await startService({ CUSTOM_DOMAINS: 'go.first.example' });
  mailbox = await openMailbox(service);
  const first = await openPortal(service, mailbox, 'first', service.secretKey);
  const second = await openPortal(service, mailbox, 'second', await service.foundOrganization('Second'));
  const mine = await marked(first, 'ada');
  // `others` contains a collaborator who shares a sale with Ada, and a collaborator of another organization.
  const beside = await marked(first, 'bob', { shared: 'ada' });
  others = [beside, await marked(second, 'cyd')];
  const shop = openShop(service);
  await shop.change('/v1/partner-agreement', { text: 'Don’t bid on our name.' });
  for (const { inside } of [mine, beside]) await inside.must('POST', '/v1/portal/agreement/accept', { version: 1 });
  const [program] = await shop.get<{ id: number }[]>('/v1/programs');
  const reward = { type: 'percent', percent: 77.7 };
  await shop.change(`/v1/programs/${program?.id}`, { collaboratorRewards: [{ collaboratorId: beside.id, reward }] });
  await shop.change('/v1/payout-settings', { taxDetails: 'asked' });
  const taxDetails = { ...TAX_DETAILS, city: `${beside.mark} city` };
  await shop.change(`/v1/collaborators/${beside.id}/tax-details`, { taxDetails });
  ada = mine;
});
after(() => service.stop());

/** The query string or the body of each portal call, by operation id. */
const CALLS: Readonly<Record<string, { readonly query?: string; readonly body?: object }>> = {
  getPortalSession: {},
  getPortalAccount: {},
  changePortalAccount: { body: { name: 'ada-name' } },
  getPortalAgreement: {},
  acceptPortalAgreement: { body: { version: 1 } },
  getPortalTaxDetails: {},
  changePortalTaxDetails: { body: { taxDetails: TAX_DETAILS } },
  getPortalEmails: {},
  changePortalEmails: { body: { muted: ['first-click'] } },
  listPortalPasskeys: {},
  challengePortalPasskey: {},
  createPortalPasskey: {
    body: {
      name: 'x',
      response: {
        id: 'AA',
        rawId: 'AA',
        type: 'public-key',
        response: { clientDataJSON: 'AA', attestationObject: 'AA' },
      },
    },
  },
  deletePortalPasskey: {},
  listPortalSessions: {},
  endPortalSession: {},
  listPortalLinks: {},
  createPortalLink: { body: { subId: 'ada-sub' } },
  retirePortalLink: {},
  listPortalMaterials: { query: '?perPage=100' },
  listPortalConversions: { query: '?perPage=100' },
  getPortalFigures: { query: `?from=${DAYS.from}&until=${DAYS.until}&by=link` },
  getPortalBalance: {},
  getPortalPayoutRequests: {},
  requestPortalPayout: { body: { currency: 'USD' } },
  listPortalPayouts: { query: '?perPage=100' },
  getPortalStatement: {},
  downloadPortalStatement: {},
  closePortalSession: {},
};

type Call = { readonly id: string; readonly method: string; readonly path: string };

const document = servedDocument('X-Service') as unknown as {
  paths: Record<string, Record<string, { operationId: keyof typeof operations }>>;
};
/**
 * Every portal call in the OpenAPI document that needs a session, so that no new call is missed. Logging out is last,
 * because it ends the session.
 */
const calls: readonly Call[] = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id }]) => ({ id, method: method.toUpperCase(), path })),
  )
  .filter(({ id }) => {
    const { scope, open } = operations[id] as Operation;
    return scope === 'portal' && open === undefined;
  })
  .toSorted((one, other) => Number(one.id === 'closePortalSession') - Number(other.id === 'closePortalSession'));

describe('portal calls show only the collaborator’s own data', () => {
  it('every portal call is listed in this test', () => {
    assert.deepEqual(calls.map(({ id }) => id).toSorted(), Object.keys(CALLS).toSorted());
    assert.ok(calls.every(({ path }) => path.startsWith('/v1/portal/')));
  });

  for (const { id, method, path } of calls) {
    it(`${id} returns no data of another collaborator`, async () => {
      const { query = '', body } = CALLS[id] ?? {};
      if (path.includes('{')) {
        const noun = /\/([\w-]+)\/\{id\}/.exec(path)?.[1];
        for (const { aliasId, passkeyId, sessionId } of others) {
          const ids: Readonly<Record<string, number>> = { links: aliasId, passkeys: passkeyId, sessions: sessionId };
          const theirs = ids[noun ?? ''] ?? assert.fail(`whose ${noun}?`);
          const strange = await ada.inside.call(method, path.replace('{id}', String(theirs)), body);
          const unknown = await ada.inside.call(method, path.replace('{id}', '8999999'), body);
          assert.deepEqual([strange.status, strange.text], [404, unknown.text]);
        }
        return;
      }
      const reply = await ada.inside.call(method, path + query, body);
      assert.ok(reply.status < 300 || ['createPortalPasskey', 'requestPortalPayout'].includes(id), reply.text);
      for (const { mark } of others) assert.ok(!reply.text.includes(mark), `${mark} in ${reply.text}`);
      assert.ok(!reply.text.includes('77.7'), 'the response contains no amount of another collaborator');
      for (const name of ['collaboratorId', 'transactionId', 'opportunityId', 'externalId', 'source']) {
        assert.ok(!reply.text.includes(`"${name}"`), `${name} in ${reply.text}`);
      }
    });
  }

  it('the filter payoutId finds the conversions of an own payout, and none of another collaborator’s payout', async () => {
    const [bob] = others;
    assert.ok(bob);
    const paidBy = async (payoutId: number): Promise<number[]> => {
      const listed = await bob.inside.must<{ id: number }[]>('GET', `/v1/portal/conversions?payoutId=${payoutId}`);
      return listed.map(({ id }) => id);
    };
    assert.deepEqual(await paidBy(bob.payoutId), [bob.conversionId]);
    assert.deepEqual(await paidBy(ada.payoutId), []);
  });

  it('another collaborator sees only their own conversions, payouts and figures', async () => {
    const [bob] = others;
    assert.ok(bob);
    const see = <Body>(path: string) => bob.inside.must<Body>('GET', path);
    const conversions = await see<{ id: number; amount: number }[]>('/v1/portal/conversions');
    assert.deepEqual(
      conversions.map(({ id, amount }) => [id, amount]),
      [[bob.conversionId, 1500]],
      'only their own half of a shared sale is listed',
    );
    const payouts = await see<{ id: number; amount: number }[]>('/v1/portal/payouts');
    assert.deepEqual(
      payouts.map(({ id, amount }) => [id, amount]),
      [[bob.payoutId, 1500]],
    );
    const balances = await see<{ inPayout: number }[]>('/v1/portal/balance');
    assert.deepEqual(
      balances.map(({ inPayout }) => inPayout),
      [1500],
    );
    const total = `/v1/portal/figures?from=${DAYS.from}&until=${DAYS.until}&by=total`;
    const { rows } = await see<{ rows: { visits: number; conversions: number; earned: object[] }[] }>(total);
    assert.deepEqual(rows, [{ visits: 1, conversions: 1, earned: [{ currency: 'USD', amount: 1500 }] }]);
    const days = await see<{ rows: { day: string }[] }>(total.replace('total', 'day'));
    assert.equal(days.rows.length, DAYS.count);
    const file = await bob.inside.call('GET', '/v1/portal/statement.csv');
    assert.match(file.text, /,approve,USD,15\.00,15\.00,15\.00,/);
    assert.equal(file.headers.get('content-disposition'), 'attachment; filename="statement.csv"');
    assert.match((await bob.inside.call('GET', '/v1/portal/session')).text, /You earn 77\.7/);
  });

  it('the calls change no passkeys or links of other collaborators', async () => {
    for (const { inside, mark, aliasId, passkeyId } of others) {
      const passkeys = await inside.must<{ id: number }[]>('GET', '/v1/portal/passkeys');
      assert.deepEqual(
        passkeys.map(({ id }) => id),
        [passkeyId],
      );
      const links = await inside.must<{ id: number; code: string }[]>('GET', '/v1/portal/links');
      assert.ok(links.some(({ id, code }) => id === aliasId && code.startsWith(mark)));
    }
  });

  it('the parameter collaboratorId is refused as unknown', async () => {
    const [bob] = others;
    const reply = await bob?.inside.call('GET', `/v1/portal/conversions?collaboratorId=${ada.id}`);
    assert.deepEqual(reply && faultCodes(reply), { '/collaboratorId': 'unknown-parameter' });
  });
});

describe('POST and DELETE /v1/portal/links', () => {
  type Link = { id: number; type: string; code: string; subId: string | null; url: string | null };

  it('creates one link per sub-id, and the collaborator can retire it', async () => {
    const [bob] = others;
    assert.ok(bob);
    const { must, call } = bob.inside;
    const made = await must<Link>('POST', '/v1/portal/links', { subId: 'June' });
    assert.partialDeepStrictEqual(made, {
      type: 'link',
      code: 'bob-mark.June',
      subId: 'June',
      url: 'https://first.example/?ref=bob-mark.June',
    });
    assert.equal((await must<Link>('POST', '/v1/portal/links', { subId: 'june' })).id, made.id);
    assert.equal((await call('DELETE', `/v1/portal/links/${made.id}`)).status, 200);
    assert.equal((await call('DELETE', `/v1/portal/links/${made.id}`)).status, 200);
    const again = await must<Link>('POST', '/v1/portal/links', { subId: 'june' });
    assert.notEqual(again.id, made.id);
    const main = await must<Link>('POST', '/v1/portal/links', {});
    assert.equal(main.code, 'bob-mark');
    assert.equal(problemCode(await call('DELETE', `/v1/portal/links/${main.id}`)), 'invalid-transition');
    const coupon = (await must<Link[]>('GET', '/v1/portal/links')).find(({ type }) => type === 'coupon');
    assert.deepEqual([coupon?.code, coupon?.url], ['bob-mark-10', null]);
    assert.equal(problemCode(await call('DELETE', `/v1/portal/links/${coupon?.id}`)), 'invalid-transition');
    for (const subId of ['a.b', '', 'ä', 'x'.repeat(65)]) {
      assert.equal((await call('POST', '/v1/portal/links', { subId })).status, 422);
    }
  });

  it('creates links to pages of the merchant’s sites only, each with a sub-id', async () => {
    const [bob] = others;
    assert.ok(bob);
    const { must, call } = bob.inside;
    const shop = openShop(service);
    await shop.change('/v1/portal-settings', { linkOrigins: ['https://blog.example'], linkDomain: 'go.first.example' });
    const make = (pageUrl: string, subId?: string) => call('POST', '/v1/portal/links', { pageUrl, subId });
    const made = await make('https://first.example/blue?size=2&trackingId=7#mug', 'blue');
    assert.partialDeepStrictEqual(made.body, {
      pageUrl: 'https://first.example/blue?size=2#mug',
      url: 'https://first.example/blue?size=2&ref=bob-mark.blue#mug',
      shortUrl: `${new URL(service.url).origin.replace('127.0.0.1', 'go.first.example')}/bob-mark/blue`,
    });
    assert.equal((await make('https://blog.example/post', 'post')).status, 201);
    assert.equal(problemCode(await make('https://first.example/red', 'blue')), 'code-taken');
    assert.deepEqual(faultCodes(await make('https://first.example/red')), { '/subId': 'required' });
    for (const page of ['https://evil.example/', 'http://first.example/', 'https://first.example.evil.example/']) {
      assert.deepEqual(faultCodes(await make(page, 'evil')), { '/pageUrl': 'not-applicable' }, page);
    }
    await shop.change('/v1/portal-settings', { linkOrigins: [], linkDomain: null });
    const post = (await must<Link[]>('GET', '/v1/portal/links')).find(({ subId }) => subId === 'post');
    assert.equal(post?.url, 'https://first.example/?ref=bob-mark.post', 'the site is no longer allowed');
  });

  it('never creates a code that another collaborator has', async () => {
    const [bob] = others;
    assert.ok(bob);
    const shop = openShop(service);
    await shop.collaborator('bob-mark.taken');
    const refused = await bob.inside.call('POST', '/v1/portal/links', { subId: 'taken' });
    assert.equal(problemCode(refused), 'code-taken');
  });

  it('concurrent duplicates create one link', async () => {
    const [bob] = others;
    assert.ok(bob);
    const made = await Promise.all(
      Array.from({ length: 6 }, () => bob.inside.must<Link>('POST', '/v1/portal/links', { subId: 'race' })),
    );
    assert.equal(new Set(made.map(({ id }) => id)).size, 1);
  });

  it('keeps Idempotency-Keys of collaborators separate from those of the merchant', async () => {
    const [bob] = others;
    assert.ok(bob);
    const headers = {
      'idempotency-key': 'payout-run-2026-11',
      'sec-fetch-site': 'same-origin',
      cookie: bob.inside.cookie,
    };
    const body = { subId: 'keyed' };
    const made = await service.request('POST', '/v1/portal/links', { body, headers });
    const again = await service.request('POST', '/v1/portal/links', { body, headers });
    assert.deepEqual([made.status, again.text, again.headers.get('idempotent-replayed')], [201, made.text, 'true']);
    const theirs = await service.request('POST', '/v1/custom-events', {
      key: service.secretKey,
      body: { slug: 'keyed', name: 'Keyed' },
      headers: { 'idempotency-key': 'payout-run-2026-11' },
    });
    assert.equal(theirs.status, 201, theirs.text);
  });

  it('refuses more than 500 links per collaborator', async () => {
    const [, cyd] = others;
    assert.ok(cyd);
    await service.database.query(
      `insert into aliases (organization_id, collaborator_id, type, code, code_key, from_version)
       select organization_id, id, 'tracking', 'cyd-mark.' || n, 'cyd-mark.' || n, 1
       from collaborators, generate_series(1, 498) n where id = $1`,
      [cyd.id],
    );
    const refused = await cyd.inside.call('POST', '/v1/portal/links', { subId: 'more' });
    assert.equal(problemCode(refused), 'too-many-links');
    assert.equal((await cyd.inside.must<Link[]>('GET', '/v1/portal/links')).length, 500);
  });
});

/**
 * Creates a collaborator with a link, a coupon, a passkey, a portal session, and an approved conversion in a payout. If
 * `shared` names another collaborator, the buyer has visited through both collaborators.
 */
async function marked(
  portal: Awaited<ReturnType<typeof openPortal>>,
  name: string,
  { shared }: { readonly shared?: string } = {},
): Promise<Marked> {
  const { key } = portal;
  const mark = `${name}-mark`;
  const shop = openShop({ ...service, secretKey: key });
  const till = openTill({ ...service, secretKey: key });
  const email = `${mark}@example.com`;
  if (shared === undefined) {
    await shop.program({ name: `Program of ${mark}`, attribution: 'linear', enrollment: 'selected' });
  }
  const id = await shop.collaborator(mark, { email });
  await service.request('POST', `/v1/collaborators/${id}/aliases`, {
    key,
    body: { type: 'coupon', code: `${mark}-10` },
  });
  const [program] = await shop.get<{ id: number }[]>('/v1/programs');
  await service.request('POST', `/v1/programs/${program?.id}/collaborators`, { key, body: { collaboratorId: id } });
  const oid = shared === undefined ? undefined : await shop.visit(`${shared}-mark`);
  const visitor = await shop.visit(mark, oid === undefined ? {} : { oid });
  await shop.sell(`order of ${mark}`, visitor, { total: shared === undefined ? 100 : 300 });
  const earned = await shop.earned(`order of ${mark}`);
  const own = earned.find(({ collaboratorId }) => collaboratorId === id);
  for (const each of earned) await service.request('POST', `/v1/conversions/${each.id}/approve`, { key });
  const payouts = await till.payoutsOf(await till.runOne());
  const inside = await portal.enter(email);
  const { rows } = await service.database.query<{ id: number }>(
    `insert into passkeys (organization_id, collaborator_id, name, credential, public_key, counter, user_handle)
     select organization_id, id, name, name::bytea, '', 0, sha256(name::bytea) from collaborators where id = $1 returning id`,
    [id],
  );
  const [link] = await inside.must<{ id: number }[]>('GET', '/v1/portal/links');
  const [session] = await inside.must<{ id: number }[]>('GET', '/v1/portal/sessions');
  const payout = payouts.find(({ collaboratorId }) => collaboratorId === id);
  assert.ok(own !== undefined && payout !== undefined && link !== undefined && session !== undefined);
  const passkeyId = rows[0]?.id ?? 0;
  const sessionId = session.id;
  return { mark, inside, id, passkeyId, sessionId, aliasId: link.id, conversionId: own.id, payoutId: payout.id };
}
