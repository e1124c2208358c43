import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import { problemCode } from '#test/support/replies.ts';
import { type TestService, startService } from '#test/support/service.ts';
import { oidOf, openShop, type Shop } from '#test/support/shop.ts';

type Signal = { reason: string; matches?: string[]; value?: number };
type Entry = { id: number; list: string; kind: string; value: string; note: string | null; status: string };

const CHECKED = { adReferrers: ['google.*'], buyerDetails: ['email', 'name', 'card', 'address'] };

describe('fraud signals of referrers, buyers and lists', () => {
  let service: TestService;
  let shop: Shop;
  let program: number;
  let story = 0;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    program = await shop.program({ autoApprove: true });
  });
  beforeEach(async () => {
    story += 1;
    await set({ holds: CHECKED });
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await replaySales(service.database)).differences, []);
    assert.deepEqual((await replayReports(service.database)).differences, []);
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const set = (terms: Record<string, unknown>) => shop.change(`/v1/programs/${program}`, terms);
  const partner = async (change: Record<string, unknown> = {}) => {
    const code = `partner${story}`;
    const id = await shop.collaborator(code, { aliases: [{ type: 'tracking', code }], ...change });
    return { id, code };
  };
  const click = async (code: string, { address = '192.0.2.1', referrer }: { address?: string; referrer?: string }) => {
    const reply = await service.request('POST', '/v1/event/site-visited', {
      key: service.publishableKey,
      body: { collaboratorId: `tracking:${code}`, ...(referrer === undefined ? {} : { referrer }) },
      headers: { 'X-Forwarded-For': address },
    });
    assert.equal(reply.status, 200, reply.text);
    return oidOf(reply);
  };
  const signals = async (name: string, oid: string, sale: Record<string, unknown> = {}): Promise<Signal[]> => {
    await shop.sell(`order-${story}-${name}`, oid, sale);
    const [earned] = (await shop.earned(`order-${story}-${name}`)) as unknown as { signals?: Signal[] }[];
    return earned?.signals ?? [];
  };
  const send = (method: string, path: string, body?: object) =>
    service.request(method, `/v1/fraud-list-entries${path}`, {
      key: service.secretKey,
      ...(body === undefined ? {} : { body }),
    });
  const list = async (list: string, kind: string, value: string): Promise<Entry> => {
    const reply = await send('POST', '', { list, kind, value });
    assert.equal(reply.status, 201, reply.text);
    return reply.body as Entry;
  };
  const unlist = async ({ id }: Entry) => assert.equal((await send('DELETE', `/${id}`)).status, 200);

  it('a visit from a search engine is a fraud signal in programs that check referrers, unless the host is on the allow list', async () => {
    const { code } = await partner();
    const referrer = 'https://www.google.com/';
    assert.deepEqual(await signals('ad', await click(code, { referrer })), [
      { reason: 'ad-referrer', matches: ['www.google.com'] },
    ]);
    assert.deepEqual(await signals('mail', await click(code, { referrer: 'https://mail.google.com/' })), []);
    assert.deepEqual(await signals('none', await click(code, { referrer: 'not an address' })), []);
    const { rows } = await service.database.query('select distinct referrer from visits where referrer is not null');
    assert.deepEqual(rows, [{ referrer: 'www.google.com' }], 'no other host is stored');
    const entry = await list('allow', 'referrer', 'google.*');
    assert.deepEqual(await signals('allowed', await click(code, { referrer })), []);
    await unlist(entry);
    await set({ holds: null });
    assert.deepEqual(await signals('off', await click(code, { referrer })), []);
  });

  it('a decision records the first 10 referring hosts of each candidate that match its program', async () => {
    await set({ holds: { ...CHECKED, adReferrers: ['*.zones.example'] } });
    const others = ['*.zones.example', 'area0.*'];
    const other = await shop.program({ autoApprove: true, holds: { ...CHECKED, adReferrers: others } });
    const { code } = await partner();
    const zones = Array.from({ length: 30 }, (_, n) => `zone${String(n).padStart(2, '0')}.zones.example`);
    // Visits of the program's hosts come after more than 10 other hosts in the order, which only the other program checks.
    const hosts = [...zones.toReversed(), ...Array.from({ length: 12 }, (_, n) => `area0.shop${n}.example`)];
    const oid = await click(code, {});
    for (const host of hosts) {
      const reply = await service.request('POST', '/v1/event/site-visited', {
        key: service.secretKey,
        body: { collaboratorId: `tracking:${code}`, referrer: `https://${host}/` },
        headers: { 'X-Service-OID': oid },
      });
      assert.equal(reply.status, 200, reply.text);
    }
    await shop.sell(`order-${story}`, oid);
    const earned = (await shop.earned(`order-${story}`)) as unknown as { programId: number; signals: Signal[] }[];
    const areas = hosts.slice(zones.length).sort().slice(0, 10);
    const expected = new Map([
      [program, zones.slice(0, 10)],
      [other, areas],
    ]);
    for (const [programId, matches] of expected) {
      const conversion = earned.find((each) => each.programId === programId);
      assert.deepEqual(conversion?.signals, [{ reason: 'ad-referrer', matches }]);
    }
    const { rows } = await service.database.query<{ referrers: string[] }>(
      `select candidate #> '{hold,referrers}' as referrers
       from explanations x join transactions t on t.organization_id = x.organization_id and t.id = x.transaction_id,
         jsonb_array_elements(x.candidates) candidate
       where t.external_id = $1 order by candidate -> 'programId'`,
      [`order-${story}`],
    );
    assert.deepEqual(
      rows.map(({ referrers }) => referrers),
      [...expected.values()],
    );
    await shop.change(`/v1/programs/${other}`, { status: 'inactive' });
  });

  it('a decision records the first 10 entries of the deny list for each candidate, and the entry of the buyer first', async () => {
    const { code } = await partner();
    const networks = Array.from({ length: 12 }, (_, n) => `203.0.113.${n + 10}/32`);
    const entries = [await list('deny', 'email-domain', 'farm.example')];
    for (const network of networks.toReversed()) entries.push(await list('deny', 'network', network));
    const oid = await click(code, {});
    for (const network of networks) {
      const reply = await service.request('POST', '/v1/event/site-visited', {
        key: service.publishableKey,
        body: { collaboratorId: `tracking:${code}` },
        headers: { 'X-Service-OID': oid, 'X-Forwarded-For': network.replace('/32', '') },
      });
      assert.equal(reply.status, 200, reply.text);
    }
    assert.deepEqual(await signals('visits', oid), [{ reason: 'deny-list', matches: networks.slice(0, 10) }]);
    assert.deepEqual(await signals('buyer', oid, { buyer: { email: 'x@farm.example' } }), [
      { reason: 'deny-list', matches: ['farm.example', ...networks.slice(0, 9)] },
    ]);
    for (const entry of entries) await unlist(entry);
  });

  it('a buyer with the collaborator’s email address or name is a fraud signal, and the buyer’s data is not stored', async () => {
    const name = `Ada ${story} Lovelace`;
    const { id, code } = await partner({ name, email: `Ada${story}@mail.example` });
    const buyer = { email: `ada${story}+shop@MAIL.example`, name: `  ada ${story}  LOVELACE ` };
    assert.deepEqual(await signals('both', await shop.visit(code), { buyer }), [
      { reason: 'buyer-details', matches: ['email', 'name'] },
    ]);
    const other = { email: 'ben@mail.example', name: 'Ben Baker', cardFingerprint: `card-${story}` };
    assert.deepEqual(await signals('other', await shop.visit(code), { buyer: other }), []);
    assert.deepEqual(await signals('empty', await shop.visit(code), { buyer: { email: '', name: ' ' } }), []);
    await set({ holds: { ...CHECKED, buyerDetails: ['email'] } });
    assert.deepEqual(await signals('some', await shop.visit(code), { buyer: { name } }), []);
    await shop.change(`/v1/collaborators/${id}`, { fraudReview: 'never' });
    assert.deepEqual(await signals('trusted', await shop.visit(code), { buyer }), []);
    for (const table of ['buyer_signals', 'buyer_marks', 'transactions', 'events', 'explanations']) {
      const { rows } = await service.database.query<{ text: string }>(
        `select to_jsonb(t)::text as text from ${table} t`,
      );
      assert.ok(
        rows.every(
          ({ text }) => !/lovelace|ben|baker|mail\.example|shop@|card-/i.test(text.replace('"source": "shop"', '')),
        ),
        table,
      );
    }
  });

  it('a card or address of a purchase with the collaborator’s email address is a fraud signal in later sales', async () => {
    const { id, code } = await partner({ email: `cardholder${story}@mail.example` });
    const marks = { cardFingerprint: `card-${story}`, addressHash: `street-${story}` };
    const stranger = { email: 'stranger@mail.example', ...marks };
    assert.deepEqual(await signals('before', await shop.visit(code), { buyer: stranger }), []);
    await signals('own', await shop.visit(code), { buyer: { email: `cardholder${story}@mail.example`, ...marks } });
    assert.deepEqual(await signals('after', await shop.visit(code), { buyer: stranger }), [
      { reason: 'buyer-details', matches: ['card', 'address'] },
    ]);
    const marksOf = () => service.database.query('select from buyer_marks where collaborator_id = $1', [id]);
    assert.equal((await marksOf()).rowCount, 2);
    for (const { id: conversion } of await shop.get<{ id: number }[]>(`/v1/conversions?collaboratorId=${id}`)) {
      const body = { reason: 'Own purchase' };
      await service.request('POST', `/v1/conversions/${conversion}/reject`, { key: service.secretKey, body });
    }
    const erase = { key: service.secretKey, body: { collaboratorId: id } };
    assert.equal((await service.request('POST', '/v1/collaborators/erase', erase)).status, 200);
    assert.equal((await marksOf()).rowCount, 0);
  });

  it('concurrent reports of one buyer all get the fraud signal, and a repeated report changes no stored fraud signal', async () => {
    const { code } = await partner({ email: `often${story}@mail.example` });
    const buyer = { email: `often${story}@mail.example`, cardFingerprint: `card-${story}`, addressHash: `a-${story}` };
    const oids = await Promise.all(Array.from({ length: 8 }, () => shop.visit(code)));
    const found = await Promise.all(oids.map((oid, n) => signals(`${n}`, oid, { buyer })));
    assert.ok(found.every(([signal]) => signal?.matches?.includes('email')));
    const stored = async () =>
      (await service.database.query('select to_jsonb(b)::text as text from buyer_signals b order by 1')).rows;
    const before = await stored();
    await shop.sell(`order-${story}-0`, oids[0] as string, { buyer: { email: 'stranger@mail.example' } });
    assert.deepEqual(await stored(), before);
  });

  it('an entry of the deny list sends conversions to review, even without fraud settings and for trusted collaborators', async () => {
    await set({ holds: null });
    const { id, code } = await partner();
    const network = await list('deny', 'network', '203.0.113.0/24');
    const host = await list('deny', 'referrer', '*.coupons.example');
    const domain = await list('deny', 'email-domain', 'Farm.example');
    const visit = () => click(code, { address: '203.0.113.9', referrer: 'https://m.coupons.example/x' });
    assert.deepEqual(await signals('network', await visit()), [{ reason: 'deny-list', matches: ['203.0.113.0/24'] }]);
    const referred = await click(code, { referrer: 'https://m.coupons.example/x' });
    assert.deepEqual(await signals('host', referred), [{ reason: 'deny-list', matches: ['*.coupons.example'] }]);
    const buyer = { email: 'x@farm.example' };
    assert.deepEqual(await signals('all', await visit(), { buyer }), [
      { reason: 'deny-list', matches: ['farm.example', '203.0.113.0/24'] },
    ]);
    await shop.change(`/v1/collaborators/${id}`, { fraudReview: 'never' });
    assert.deepEqual(await signals('trusted', await shop.visit(code), { buyer }), [
      { reason: 'deny-list', matches: ['farm.example'] },
    ]);
    const late = await visit();
    for (const entry of [network, host, domain]) await unlist(entry);
    assert.equal((await signals('recorded', late))[0]?.reason, 'deny-list', 'a visit keeps its fraud signal');
    assert.deepEqual(await signals('later', await visit(), { buyer }), []);
  });

  it('the allow list exempts networks from the count of visits per address, and buyers from the comparison with collaborators', async () => {
    await set({ holds: { ...CHECKED, visitsFromAddress: 1 } });
    const { code } = await partner({ email: `boss${story}@office.example` });
    const buyer = { email: `boss${story}@office.example` };
    const twice = async (name: string) => {
      await click(code, { address: '198.51.100.7' });
      return signals(name, await click(code, { address: '198.51.100.7' }), { buyer });
    };
    const entries = [
      await list('allow', 'network', '198.51.100.0/24'),
      await list('allow', 'email-domain', 'office.example'),
    ];
    assert.deepEqual(await twice('allowed'), []);
    for (const entry of entries) await unlist(entry);
    assert.deepEqual(
      (await twice('usual')).map(({ reason }) => reason),
      ['visits-from-address', 'buyer-details'],
    );
  });

  it('a value is on at most one list, even if concurrent calls add it', async () => {
    const value = `twice${story}.example`;
    const replies = await Promise.all(
      ['allow', 'deny', 'deny'].map((list) => send('POST', '', { list, kind: 'email-domain', value, note: 'Test' })),
    );
    assert.deepEqual(
      replies.map(({ status }) => status).sort((a, b) => a - b),
      [201, 409, 409],
    );
    assert.equal(problemCode(replies.find(({ status }) => status === 409) as (typeof replies)[0]), 'already-listed');
    const entry = replies.find(({ status }) => status === 201)?.body as Entry;
    assert.deepEqual((await send('GET', `/${entry.id}`)).body, entry);
    const deleted = (await send('DELETE', `/${entry.id}`)).body as Entry;
    assert.equal(deleted.status, 'deleted');
    assert.deepEqual((await send('DELETE', `/${entry.id}`)).body, deleted);
    assert.equal((await send('DELETE', '/999999')).status, 404);
    const listed = (await send('GET', '?kind=email-domain')).body as Entry[];
    assert.ok(listed.every(({ id }) => id !== entry.id));
    const bad = await send('POST', '', { list: 'deny', kind: 'network', value: 'everywhere' });
    assert.equal(bad.status, 422);
    assert.match(bad.text, /This must be a network such as/);
  });

  it('an organization has up to 1,000 fraud list entries, not counting deleted entries', async () => {
    await service.database.query(
      `insert into fraud_list_entries (organization_id, list, kind, value)
       select 1, 'deny', 'email-domain', 'd' || n || '.example' from generate_series(1, 999) n`,
    );
    await list('deny', 'email-domain', 'last.example');
    const refused = await send('POST', '', { list: 'deny', kind: 'email-domain', value: 'more.example' });
    assert.deepEqual([refused.status, problemCode(refused)], [409, 'too-many-entries']);
    await service.database.query('update fraud_list_entries set deleted_at = now() where deleted_at is null');
    await list('deny', 'email-domain', 'more.example');
  });
});
