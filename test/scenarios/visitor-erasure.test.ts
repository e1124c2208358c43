import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId, UserId } from '#core/ids.ts';
import { eraseVisitorByCommand } from '#privacy/commands/erase-visitor-by-command.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { ROUND } from '#reporting/store/figure-sums.ts';
import { verify } from '#verify/verify.ts';
import { type Pair, startPair } from '#test/support/pair.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import { addRounds } from '#test/support/figures.ts';
import type { Reply } from '#test/support/service.ts';
import { announceAll } from '#test/support/webhooks.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop, startBeside } from '#test/support/shop.ts';

type Erased = {
  removedOpportunities: number;
  removedVisits: number;
  closedOpportunities: number;
  collaboratorIds: number[];
};
type Exported = {
  collaboratorIds: number[];
  opportunities: { id: number; status: string; userId: number | null }[];
  journeys: { steps: { kind: string }[] }[];
  lines: { name: string }[];
};

const NOTHING = { removedOpportunities: 0, removedVisits: 0, closedOpportunities: 0, collaboratorIds: [] };

describe('erasing a visitor', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  before(async () => {
    // A test starts a worker only when events must be decided, so that other events wait during the erasure.
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    await shop.program({ attribution: 'linear' });
    ada = await shop.collaborator('ada');
    await shop.collaborator('bob');
  });
  after(() => service.stop());

  const post = async <Body>(path: string, body: object): Promise<Body> => {
    const reply = await service.request('POST', path, { key: service.secretKey, body });
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Body;
  };
  const erase = (userId: number) => post<Erased>('/v1/visitors/erase', { userId });
  const exported = (userId: number) => post<Exported>('/v1/visitors/export', { userId });
  const opportunity = (oid: string): Promise<Reply> =>
    service.request('GET', `/v1/opportunities/${oid}`, { key: service.secretKey });
  const decided = async () => {
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await service.settled();
    await worker.stop();
  };
  const sound = async () => {
    await decided();
    assert.deepEqual((await verify(service.database)).breaches, []);
    const { differences, leftOut } = await replaySales(service.database);
    assert.deepEqual([differences, leftOut], [[], 0]);
  };
  /** Returns the names of the tables that have a row with the given text. */
  const placesOf = async (text: string): Promise<string[]> => {
    const tables = await service.database.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const found = await Promise.all(
      tables.rows.map(async ({ name }) => {
        const { rowCount } = await service.database.query(`select from ${name} t where position($1 in t::text) > 0`, [
          text,
        ]);
        return rowCount === 0 ? [] : [name];
      }),
    );
    return found.flat().sort();
  };

  it('deletes everything about a visitor without sales, and the figures still add up', async () => {
    const oid = await shop.visit('ada', { userId: 700_001 });
    await shop.visit('bob', { oid });
    const anonymous = await shop.visit('ada');
    await shop.visit('bob', { oid: anonymous, userId: 700_001 });
    const kept = await shop.visit('ada', { userId: 700_002 });
    await addRounds(service.database, new Date().toISOString(), ROUND);
    const before = await exported(700_001);
    assert.deepEqual(before.opportunities.map(({ status }) => status).sort(), ['active', 'merged']);
    assert.equal(before.journeys[0]?.steps.filter(({ kind }) => kind === 'visit').length, 4);

    assert.deepEqual(await erase(700_001), { ...NOTHING, removedOpportunities: 2, removedVisits: 4 });
    assert.deepEqual([(await opportunity(oid)).status, (await opportunity(anonymous)).status], [404, 404]);
    assert.equal((await opportunity(kept)).status, 200, 'another visitor’s opportunity is kept');
    const after = await exported(700_001);
    assert.deepEqual([after.opportunities, after.journeys, after.lines], [[], [], []]);
    assert.deepEqual(await placesOf('700001'), []);
    await sound();
    assert.deepEqual(await erase(700_001), NOTHING, 'a second erasure finds nothing');
  });

  it('keeps commissions, decided before or after the erasure, without any user data', async () => {
    const oid = await shop.visit('ada', { userId: 700_003 });
    await shop.sell('decided', oid, { items: [{ name: 'Mug', amount: 100, quantity: 1 }] });
    await decided();
    await shop.sell('waiting', oid);
    const { lines } = await exported(700_003);
    assert.deepEqual(lines.map(({ name }) => name).sort(), ['Mug', 'Order']);
    const explained = await shop.get(`/v1/transactions/${(await shop.transactionOf('decided')).id}/explanation`);

    assert.deepEqual(await erase(700_003), { ...NOTHING, closedOpportunities: 1 });
    assert.deepEqual(await placesOf('700003'), []);
    await sound();
    for (const id of ['decided', 'waiting']) {
      assert.deepEqual(
        (await shop.earned(id)).map(({ collaboratorId, amount }) => [collaboratorId, amount]),
        [[ada, 1000]],
      );
    }
    assert.deepEqual(
      await shop.get(`/v1/transactions/${(await shop.transactionOf('decided')).id}/explanation`),
      explained,
    );
    const { body } = await opportunity(oid);
    assert.deepEqual([(body as { status: string }).status, (body as { userId: null }).userId], ['invalid', null]);
    assert.deepEqual(await erase(700_003), NOTHING);
  });

  it('starts a new opportunity at the next visit, and sales with the old number earn nothing', async () => {
    const oid = await shop.visit('ada', { userId: 700_004 });
    await shop.sell('old', oid);
    await erase(700_004);
    const again = await shop.visit('ada', { oid, userId: 700_004 });
    assert.notEqual(again, oid);
    await shop.sell('with the old number', oid);
    await shop.sell('with the new number', again);
    await decided();
    assert.equal((await shop.explain('with the old number')).reason, 'opportunity-invalid');
    assert.equal((await shop.earned('with the new number')).length, 1);
    await sound();
  });

  it('keeps self-referral decisions: a collaborator’s own order still earns them nothing', async () => {
    const cy = await shop.collaborator('cy', { userId: 700_005 });
    const oid = await shop.visit('cy');
    await shop.visit('ada', { oid, userId: 700_005 });
    await shop.sell('own, decided', oid);
    await decided();
    await shop.sell('own, waiting', oid);
    assert.deepEqual(await erase(700_005), { ...NOTHING, closedOpportunities: 1, collaboratorIds: [cy] });
    await decided();
    for (const id of ['own, decided', 'own, waiting']) {
      const { candidates } = await shop.explain(id);
      assert.equal(candidates.find(({ collaboratorId }) => collaboratorId === cy)?.reason, 'self-referral', id);
    }
    assert.deepEqual(await placesOf('700005'), ['collaborator_versions', 'collaborators', 'audit_entries'].sort());
    const [{ id: programId }] = (await shop.get<{ id: number }[]>('/v1/programs')) as [{ id: number }];
    const credited = async (id: string): Promise<Reply> =>
      service.request('POST', `/v1/transactions/${(await shop.transactionOf(id)).id}/credits`, {
        key: service.secretKey,
        body: { programId, collaboratorId: cy },
      });
    const refused = await credited('own, decided');
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /"code":"self-referral"/);
    // A manual credit is compared with the collaborator's user id at the time of the credit.
    await shop.change(`/v1/collaborators/${cy}`, { userId: 700_006 });
    assert.equal((await credited('own, waiting')).status, 201, 'as before an erasure, the current user id is compared');
    await sound();
  });

  it('keeps the fraud review for a collaborator’s own coupon, even under an earlier user id', async () => {
    const aliases = ['tracking', 'coupon'].map((type) => ({ type, code: 'di' }));
    const di = await shop.collaborator('di', { aliases, userId: 700_017 });
    const holds = { visitsFromAddress: null, visitsOfCollaborator: null, ownCoupon: true, secondsToSale: null };
    const triggers = { 'coupon-applied': 1 };
    const program = await shop.program({ enrollment: 'selected', autoApprove: true, triggers, holds });
    const enrolled = { key: service.secretKey, body: { collaboratorId: di } };
    assert.equal((await service.request('POST', `/v1/programs/${program}/collaborators`, enrolled)).status, 201);
    await shop.change(`/v1/collaborators/${di}`, { userId: 700_018 });
    const oid = await shop.visit('ada', { userId: 700_017 });
    await shop.applyCoupon('di', oid);
    await shop.sell('own coupon, decided', oid);
    await decided();
    await shop.sell('own coupon, waiting', oid);
    await erase(700_017);
    await decided();
    for (const id of ['own coupon, decided', 'own coupon, waiting']) {
      const conversion = (await shop.earned(id)).find(({ programId }) => programId === program) as unknown;
      const { status, holdReasons } = conversion as { status: string; holdReasons: string[] };
      assert.deepEqual([status, holdReasons], ['pending', ['own-coupon']], id);
    }
    await sound();
  });

  it('deletes waiting webhook messages about the visitor', async () => {
    const { id } = await (async () => {
      const reply = await service.request('POST', '/v1/webhooks', {
        key: service.secretKey,
        body: { url: 'https://receiver.example/', events: ['opportunity.created'] },
      });
      assert.equal(reply.status, 201, reply.text);
      return reply.body as { id: number };
    })();
    await shop.visit('ada', { userId: 700_007 });
    const other = await shop.visit('ada', { userId: 700_008 });
    await decided();
    await announceAll(service);
    assert.ok((await placesOf('700007')).includes('webhook_messages'));
    await erase(700_007);
    assert.deepEqual(await placesOf('700007'), []);
    assert.ok((await placesOf('700008')).includes('webhook_messages'), other);
    await service.request('DELETE', `/v1/webhooks/${id}`, { key: service.secretKey });
  });

  it('is available on the command line, with an audit record', async () => {
    await shop.visit('ada', { userId: 700_010 });
    const erased = await eraseVisitorByCommand(service.database, undefined, 700_010 as UserId);
    assert.deepEqual(erased, { ...NOTHING, removedOpportunities: 1, removedVisits: 1 });
    const [entry] =
      await shop.get<{ author: string; operation: string; request: unknown; after: unknown }[]>(
        '/v1/audit-entries?perPage=1',
      );
    assert.partialDeepStrictEqual(entry, { author: 'command line', operation: 'eraseVisitor', request: null });
    assert.deepEqual(entry?.after, erased);
    assert.deepEqual(await placesOf('700010'), []);
    await assert.rejects(
      eraseVisitorByCommand(service.database, 77 as OrganizationId, 1 as UserId),
      /There is no organization 77/,
    );
  });

  it('writes an audit record without the visitor’s id, like an export of the visitor', async () => {
    await shop.visit('ada', { userId: 700_009 });
    await exported(700_009);
    await erase(700_009);
    const entries =
      await shop.get<{ operation: string; path: string; request: unknown; author: string }[]>(
        '/v1/audit-entries?perPage=2',
      );
    assert.deepEqual(
      entries.map(({ operation, path, request }) => [operation, path, request]),
      [
        ['eraseVisitor', '/v1/visitors/erase', {}],
        ['exportVisitor', '/v1/visitors/export', null],
      ],
    );
    assert.deepEqual(await placesOf('700009'), []);
  });
});

describe('concurrent erasures and reports of a visitor', () => {
  let pair: Pair;
  let shop: Shop;
  before(async () => {
    pair = await startPair();
    shop = openShop(pair.service);
    await shop.program();
    await shop.program({ name: 'Once', creditsPer: 'opportunity', reward: { type: 'per-sale', amount: 5 } });
    await shop.collaborator('ada');
    await shop.collaborator('cy', { userId: 720_000 });
  });
  after(() => pair.stop());

  it('erase the visitor, and record every accepted report exactly once', async () => {
    const { service, other } = pair;
    const send = (url: string, path: string, body: object, oid?: string): Promise<number> =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.secretKey}`,
          'content-type': 'application/json',
          ...(oid === undefined ? {} : { 'x-service-oid': oid }),
        },
        body: JSON.stringify(body),
      }).then(async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      });
    await eachRound(countRounds(200, 10), async (round, random) => {
      const userId = round % 4 === 0 ? 720_000 : round % 4 === 1 ? `user ${round}` : 720_001 + round;
      const oid = await shop.visit('ada', { userId });
      const stranger = await shop.visit(round % 2 === 0 ? 'cy' : 'ada');
      if (random() < 0.5) await shop.sell(`before ${round}`, oid);
      const url = () => (random() < 0.5 ? service.url : other.url);
      const calls = [
        () => send(url(), '/v1/visitors/erase', { userId }),
        () => send(url(), '/v1/visitors/erase', { userId }),
        () => send(url(), '/v1/event/site-visited', { collaboratorId: 'tracking:ada' }, oid),
        // This visit claims the opportunity `stranger` for the user, or merges it with the user's opportunity.
        () => send(url(), '/v1/event/site-visited', { collaboratorId: 'tracking:ada', userId }, stranger),
        () => send(url(), '/v1/event/site-visited', { collaboratorId: 'tracking:cy', userId }),
        () =>
          send(url(), '/v1/event/sale', {
            source: 'shop',
            externalId: `amid ${round}`,
            total: 10,
            trackingId: Number(oid),
          }),
        () =>
          send(url(), '/v1/event/sale', {
            source: 'shop',
            externalId: `else ${round}`,
            total: 10,
            trackingId: Number(stranger),
          }),
        () => send(url(), '/v1/event/lead', { trackingId: Number(oid) }),
      ].toSorted(() => random() - 0.5);
      assert.deepEqual(
        await Promise.all(calls.map((call) => call())),
        calls.map(() => 200),
      );
    });
    await service.settled();
    for (let round = 0; round < countRounds(200, 10); round += 1) {
      for (const name of ['amid', 'else'])
        assert.equal((await shop.get<[]>(`/v1/transactions?externalId=${name}%20${round}`)).length, 1);
    }
    assert.deepEqual((await verify(service.database)).breaches, []);
    const { differences, leftOut } = await replaySales(service.database);
    assert.deepEqual([differences, leftOut], [[], 0]);
  });
});
