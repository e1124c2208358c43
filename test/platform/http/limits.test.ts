import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SESSION_LIMITS } from '#platform/http/rate-limits.ts';
import { CHALLENGE_MS, makeChallenge, readChallenge } from '#access/commands/passkey-challenge.ts';
import { Overloaded } from '#core/failures.ts';
import { isPassword } from '#access/commands/passwords.ts';
import { THROTTLES } from '#platform/throttles/throttle.ts';
import { SESSION_LIFE } from '#access/domain/session.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { newPasskey } from '../../support/authenticator.ts';
import { ENCRYPTION_KEY } from '../../support/encryption-key.ts';
import { logIn, makePerson, type Member } from '../../support/people.ts';
import {
  assertEndsWithinASecond,
  type Collaborator,
  type Mailbox,
  newNetwork,
  openMailbox,
  openPortal,
  type Portal,
} from '../../support/portal.ts';
import { faultCodes, problemCode, problemDetail } from '../../support/replies.ts';
import { type Reply, startService, type TestService } from '../../support/service.ts';
import { type Explanation, openShop, type Shop } from '../../support/shop.ts';
import { SESSION_KINDS } from '#core/caller.ts';

/*
 * Tests the limits in docs/reference/limits.md that no other file tests. Inserts bulk data directly into the database,
 * as reports would store it.
 */

type Options = Parameters<ReturnType<typeof newPasskey>['create']>[0];
type Journey = { steps: { kind: string }[]; omitted: number };
type Link = { id: number; visits: number };

const ADA = 'ada@mugs.example';
const LISTED = 200;
const FLOOD = 150;
const FLOODING_LIMIT_MS = 30_000;

let service: TestService;
let shop: Shop;
let mailbox: Mailbox;
let portal: Portal;
let ada: number;
let inside: Collaborator;
let owner: Member;
before(async () => {
  service = await startService();
  shop = openShop(service);
  mailbox = await openMailbox(service);
  portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
  await shop.program({ attribution: 'linear' });
  ada = await shop.collaborator('ada', { email: ADA });
  inside = await portal.enter(ADA);
  owner = await makePerson(service, 'owner', 'owner@mugs.example');
});
after(() => service.stop());

const run = (statement: string, ...values: readonly unknown[]) => service.database.query(statement, [...values]);

describe('connections', () => {
  it('a kept-alive connection has a Keep-Alive header with its timeout', async () => {
    const reply = await service.request('GET', '/healthz');
    assert.equal(reply.headers.get('keep-alive'), 'timeout=72');
  });
});

describe('the queue of password checks', () => {
  it('password checks beyond the queue limit are rejected with Overloaded', async () => {
    // The cheapest argon2 parameters, so that the queue is processed quickly.
    const kept = `$argon2id$v=19$m=8,t=1,p=1$${btoa('x'.repeat(15))}$${btoa('x'.repeat(33))}`;
    const all = await Promise.allSettled(
      Array.from({ length: 203 }, () => isPassword('copper kettle under snow', kept)),
    );
    assert.deepEqual(
      all.slice(0, 201).filter(({ status }) => status === 'rejected'),
      [],
    );
    const last = all.at(-1);
    assert.ok(last?.status === 'rejected' && last.reason instanceof Overloaded);
    assert.equal(await isPassword('copper kettle under snow', kept), false, 'later checks succeed');
  });
});

describe('POST /v1/sessions while the queue of password checks is full', () => {
  it('returns 503, and does not count the attempt', async () => {
    // With the usual argon2 parameters, the queue stays full while the attempts are made.
    const kept = `$argon2id$v=19$m=19456,t=2,p=1$${btoa('x'.repeat(15))}$${btoa('x'.repeat(33))}`;
    const fill = (count: number) =>
      Array.from({ length: count }, () => isPassword('copper kettle under snow', kept).catch(() => false));
    await makePerson(service, 'owner', 'busy@limits.example');
    const line = fill(230);
    const refilling = setInterval(() => void line.push(...fill(20)), 1);
    try {
      // A login succeeds if a place in the queue is freed in between, so count only consecutive rejections.
      for (let inARow = 0; inARow < THROTTLES['log-in of an address'].tries + 1;) {
        const { status } = await logIn(service, 'busy@limits.example');
        assert.ok(status === 503 || status === 201, `${status}`);
        inARow = status === 503 ? inARow + 1 : 0;
      }
    } finally {
      clearInterval(refilling);
    }
    await Promise.all(line);
    assert.equal((await logIn(service, 'busy@limits.example')).status, 201);
  });
});

describe('rate limits without an API key', () => {
  /** Sends floods of concurrent requests until a request is rejected with 429. Returns the response to that request. */
  async function floodedBy(send: () => Promise<Reply>): Promise<Reply> {
    for (const deadline = performance.now() + FLOODING_LIMIT_MS; ;) {
      const replies = await Promise.all(Array.from({ length: FLOOD }, send));
      const refused = replies.find(({ status }) => status === 429);
      if (refused !== undefined) return refused;
      assert.ok(performance.now() < deadline, 'a flood is refused');
    }
  }

  function assertRateLimited(refused: Reply, kind: keyof typeof SESSION_LIMITS): void {
    assert.equal(problemCode(refused), 'rate-limited');
    assert.equal(refused.headers.get('ratelimit-policy'), `"${kind}";q=${SESSION_LIMITS[kind]};w=1`);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]$/);
    assert.match(problemDetail(refused), /Retry after the number of seconds in Retry-After/);
  }

  it('a portal session is rate limited, and the response names the policy', async () => {
    assertRateLimited(await floodedBy(() => inside.call('GET', '/v1/portal/account')), 'collaborator');
  });

  it('a console session is rate limited, and the response names the policy', async () => {
    const mia = await makePerson(service, 'viewer', 'mia@mugs.example');
    assertRateLimited(await floodedBy(() => mia.call('GET', '/v1/account')), 'person');
  });

  it('a visitor without a key is rate limited, and the response names the policy', async () => {
    const headers = { 'x-forwarded-for': newNetwork() };
    assertRateLimited(await floodedBy(() => service.request('GET', '/v1/portals/mugs', { headers })), 'visitor');
  });
});

describe('sessions', () => {
  it('a session has an idle time and an absolute time, and ends after the idle time', async () => {
    const email = 'dan@mugs.example';
    await shop.collaborator('dan', { email });
    const dan = await portal.enter(email);
    await makePerson(service, 'viewer', 'viewer@mugs.example');
    for (const kind of SESSION_KINDS) {
      const { rows } = await run(
        `select round(extract(epoch from idle_until - created_at))::int as "idleSeconds",
           round(extract(epoch from expires_at - created_at))::int as "absoluteSeconds"
         from sessions where ${kind}_id is not null order by id desc limit 1`,
      );
      assert.deepEqual(rows, [SESSION_LIFE[kind]]);
    }
    await run(
      `update sessions set idle_until = now() where collaborator_id = (select id from collaborators where email = $1)`,
      email,
    );
    await assertEndsWithinASecond(dan);
  });
});

describe('passkeys', () => {
  it('a person can have 20 passkeys, and the 21st is refused with 409', async () => {
    const add = async (n: number) => {
      const options = await owner.must<Options>('POST', '/v1/account/passkeys/challenge');
      const response = newPasskey(`http://localhost:${new URL(service.url).port}`).create(options);
      return owner.call('POST', '/v1/account/passkeys', { name: `Key ${n}`, response });
    };
    for (let n = 1; n <= 20; n += 1) assert.equal((await add(n)).status, 201);
    const refused = await add(21);
    assert.deepEqual([refused.status, problemCode(refused)], [409, 'invalid-transition']);
    assert.match(problemDetail(refused), /20 passkeys. Remove a passkey first/);
  });

  it('a passkey challenge must be answered within five minutes', () => {
    const secrets = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));
    const begun = Date.now();
    const challenge = Buffer.from(makeChallenge(secrets, 'log-in', 'ada'));
    const [, until] = JSON.parse(secrets.open(challenge)) as [string, number];
    assert.ok(until >= begun + CHALLENGE_MS && until <= Date.now() + CHALLENGE_MS);
    const answered = (text: Buffer) => readChallenge(secrets, 'log-in', text.toString('base64url'));
    assert.equal(answered(challenge), 'ada');
    assert.equal(
      answered(secrets.seal(JSON.stringify(['log-in', Date.now(), 'ada']))),
      undefined,
      'an expired challenge is refused',
    );
  });
});

describe('explanations', () => {
  it('an explanation lists at most 200 candidates, 200 conversions and 200 refunds, and counts the others', async () => {
    const { rows } = await run(
      `with made as (
         insert into collaborators (organization_id, name, status)
         select organization_id, 'One of many', 'active' from collaborators, generate_series(1, $2::int) where id = $1
         returning organization_id, id
       ), versions as (
         insert into collaborator_versions (organization_id, collaborator_id, config_version, status)
         select organization_id, made.id, config_version, 'active' from made join organizations o on o.id = organization_id
       )
       select id from made`,
      ada,
      LISTED + 1,
    );
    const key = service.secretKey;
    const report = async (path: string, body: object, headers = {}) => {
      const reply = await service.request('POST', `/v1/event/${path}`, { key, body, headers });
      assert.equal(reply.status, 200, reply.text);
      return reply.headers.get('x-service-oid') ?? '';
    };
    const [first, ...others] = (rows as { id: number }[]).map(({ id }) => ({ collaboratorId: id }));
    const oid = await report('site-visited', first ?? {});
    await Promise.all(others.map((body) => report('site-visited', body, { 'x-service-oid': oid })));
    await shop.sell('many', oid, { total: 10_000 });
    await service.settled();
    const parts = Array.from({ length: LISTED + 1 }, (_, n) => ({ refundId: `part-${n}`, amount: 1 }));
    await Promise.all(parts.map((part) => report('refund', { source: 'shop', externalId: 'many', ...part })));
    const many = await explained('many');
    assert.deepEqual([many.candidates.length, many.omitted, many.conversions.length], [LISTED, 1, LISTED]);
    assert.equal(many.refunds.length, LISTED);
    assertNotListed(many, ['candidate', 'conversion', 'refund']);
    // Each refund must count once, even if the sale has many visits.
    const day = (later: number) => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10);
    const figures = await shop.get<Figures>(`/v1/figures?from=${day(-1)}&until=${day(2)}&by=link`);
    const refunded = figures.rows.flatMap(({ amounts }) => amounts.map((amount) => amount.refunded));
    assert.deepEqual(new Set(refunded), new Set([(LISTED + 1) * 100]));
  });

  type Figures = { readonly rows: { readonly amounts: { readonly refunded: number }[] }[] };
  type Long = Explanation & { readonly omitted: number; readonly conversions: unknown[]; readonly refunds: unknown[] };
  const explained = async (externalId: string) => (await shop.explain(externalId)) as Long;
  const assertNotListed = ({ text }: Long, nouns: readonly string[]) => {
    for (const noun of nouns) assert.ok(text.includes(`1 more ${noun} is not listed.`), noun);
  };
});

describe('journeys', () => {
  it('a journey lists at most 1,000 visits and 1,000 sales, and an export lists at most 10,000 visits', async () => {
    const oid = await shop.visit('ada', { userId: 42 });
    await copyVisits(10_000, '0 days', 42);
    const visits = ({ steps }: Journey) => steps.filter(({ kind }) => kind === 'visit').length;
    const journey = await shop.get<Journey>(`/v1/opportunities/${oid}/journey`);
    assert.deepEqual([visits(journey), journey.omitted], [1_000, 9_001]);
    const buyer = await shop.visit('ada', { userId: 43 });
    await shop.sell('order-1', buyer);
    await run(`
      insert into transactions overriding system value
      select (jsonb_populate_record(t, jsonb_build_object('id', t.id + n, 'external_id', 'copy-' || n, 'event_id', t.event_id + n))).*
      from transactions t, generate_series(1, 1000) n where t.external_id = 'order-1'`);
    const bought = await shop.get<Journey>(`/v1/opportunities/${buyer}/journey`);
    const sales = bought.steps.filter(({ kind }) => kind === 'sale').length;
    assert.deepEqual([sales, bought.omitted], [1_000, 1]);
    await run(`delete from transactions where external_id like 'copy-%'`);
    const exported = await service.request('POST', '/v1/visitors/export', {
      key: service.secretKey,
      body: { userId: 42 },
    });
    const [whole] = (exported.body as { journeys: Journey[] }).journeys;
    assert.deepEqual([whole && visits(whole), whole?.omitted], [10_000, 1]);
  });
});

describe('statements', () => {
  it('a statement of more than 20,000 ledger entries is refused with advice, as JSON and as CSV', async () => {
    const collaborator = await shop.collaborator('eve');
    await run(
      `insert into ledger_entries (organization_id, kind, collaborator_id, currency, amount, debit, credit, obligation_id)
       select organization_id, 'award', id, 'USD', 1, 'expense', 'pending', 1 from collaborators, generate_series(1, 20000)
       where id = $1`,
      collaborator,
    );
    const path = `/v1/collaborators/${collaborator}/statement`;
    const get = (of: string) => service.request('GET', of, { key: service.secretKey });
    assert.equal((await get(`${path}.csv`)).status, 200, 'a statement at the limit is returned');
    await run(
      `insert into ledger_entries (organization_id, kind, collaborator_id, currency, amount, debit, credit, obligation_id)
       select organization_id, 'award', id, 'USD', 1, 'expense', 'pending', 1 from collaborators where id = $1`,
      collaborator,
    );
    for (const each of [path, `${path}.csv`]) {
      const refused = await get(each);
      assert.deepEqual([refused.status, faultCodes(refused)], [422, { '/to': 'too-many' }]);
      assert.match(problemDetail(refused), /more than 20000 ledger entries. Request a shorter period/);
    }
  });
});

describe('lists of transactions', () => {
  it('a page of transactions with thousands of long lines is refused', async () => {
    const items = Array.from({ length: 1_000 }, (_, n) => ({
      externalId: `sku-${n}`,
      name: 'x'.repeat(200),
      amount: 1,
    }));
    for (let n = 0; n < 20; n += 1) {
      const body = { source: 'large', externalId: String(n), total: 1_000, trackingId: null, items };
      const sold = await service.request('POST', '/v1/event/sale', { key: service.secretKey, body });
      assert.equal(sold.status, 200, sold.text);
    }
    const list = (perPage: number) =>
      service.request('GET', `/v1/transactions?source=large&perPage=${perPage}`, { key: service.secretKey });
    assert.deepEqual(faultCodes(await list(20)), { '/perPage': 'too-many' });
    const page = await list(5);
    assert.equal((page.body as unknown[]).length, 5);
    const csv = await service.request('GET', '/v1/transactions?source=large', {
      key: service.secretKey,
      headers: { accept: 'text/csv' },
    });
    assert.equal(csv.text.split('\r\n').length, 22, 'a file has all rows');
  });
});

describe('lists of programs', () => {
  it('a page of programs or audit records with thousands of long line filters is refused', async () => {
    const names = Array.from({ length: 100 }, (_, n) => ({ name: `${n} ${'x'.repeat(250)}` }));
    const body = {
      name: 'Large',
      reward: { type: 'percent', percent: 10 },
      lineFilter: { include: names, exclude: names },
    };
    const made: number[] = [];
    for (let n = 0; n < 45; n += 1) {
      const { body: program } = await service.request('POST', '/v1/programs', { key: service.secretKey, body });
      made.push((program as { id: number }).id);
    }
    for (const path of ['/v1/programs?', '/v1/audit-entries?operation=createProgram&']) {
      const list = (perPage: number) => service.request('GET', `${path}perPage=${perPage}`, { key: service.secretKey });
      assert.deepEqual(faultCodes(await list(100)), { '/perPage': 'too-many' });
      assert.equal(((await list(10)).body as unknown[]).length, 10);
    }
    for (const id of made) await service.request('DELETE', `/v1/programs/${id}`, { key: service.secretKey });
  });
});

describe('partner links', () => {
  it('the visit count of a partner link excludes visits older than 400 days', async () => {
    await shop.visit('ada', { userId: 43 });
    const counted = async () => (await inside.must<Link[]>('GET', '/v1/portal/links'))[0]?.visits ?? 0;
    const before = await counted();
    await copyVisits(1, '390 days', 43);
    assert.equal(await counted(), before + 1);
    await copyVisits(1, '401 days', 43);
    assert.equal(await counted(), before + 1);
  });
});

describe('login links', () => {
  it('an email address with four collaborators receives three login links', async () => {
    const email = 'shared@mugs.example';
    for (const name of ['one', 'two', 'three', 'four']) await shop.collaborator(name, { email });
    await portal.visit('POST', '/links', { email });
    assert.equal((await mailbox.mailsTo(email)).length, 3);
  });
});

describe('portals', () => {
  it('a portal with 51 programs offers 50 of them to visitors, and shows 50 to its partners', async () => {
    await run(
      `with made as (
         insert into programs (organization_id, version) select id, 1 from organizations, generate_series(1, $1::int)
         returning organization_id, id
       ), versions as (
         insert into program_versions (organization_id, program_id, version, config_version, name, status, currency,
           window_days, attribution, reward, counted_lines, triggers, pays, auto_approve, enrollment, credits_per)
         select organization_id, id, 1, 0, 'Z ' || lpad(id::text, 9, '0'), 'active', 'USD', 30, 'last-touch',
           '{"type": "per-sale", "amount": 1}', '{product}', '{"site-visit": 1}', '{sale}', true, 'everyone', 'sale'
         from made
       )
       insert into program_sign_ups (organization_id, program_id, mode) select organization_id, id, 'open' from made`,
      51,
    );
    const { programs } = (await portal.visit('GET', '')).body as { programs: { id: number }[] };
    const { programs: own } = await inside.must<{ programs: unknown[] }>('GET', '/v1/portal/session');
    assert.deepEqual([programs.length, own.length], [50, 50]);
  });
});

/** Inserts `count` copies of a visit of the user, dated earlier by the interval `ago`. */
async function copyVisits(count: number, ago: string, userId: number): Promise<void> {
  await run(
    `insert into visits (organization_id, id, opportunity_id, collaborator_id, config_version, occurred_at, alias_id, user_id)
     select organization_id, nextval('event_ids'), opportunity_id, collaborator_id, config_version,
       occurred_at - $2::interval, alias_id, user_id
     from (select * from visits where user_id = $3 order by id limit 1) v, generate_series(1, $1::int)`,
    count,
    ago,
    userId,
  );
}
