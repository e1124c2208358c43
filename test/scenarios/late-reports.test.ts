import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes } from '#test/support/replies.ts';
import { addRounds } from '#test/support/figures.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { oidOf, openShop, type Shop } from '#test/support/shop.ts';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { readClosed, ROUND } from '#reporting/store/figure-sums.ts';
import { verify } from '#verify/verify.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('reports and their occurredAt', () => {
  let service: TestService;
  let shop: Shop;
  let collaborators: Record<'ada' | 'ben', number>;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    const aliases = (code: string) => ['tracking', 'coupon'].map((type) => ({ type, code }));
    collaborators = {
      ada: await shop.collaborator('ada', { aliases: aliases('ada') }),
      ben: await shop.collaborator('ben', { aliases: aliases('ben') }),
    };
  });
  after(async () => {
    try {
      await service.settled();
      assert.deepEqual((await verify(service.database)).breaches, []);
      assert.deepEqual((await replaySales(service.database)).differences, []);
      assert.deepEqual((await replayReports(service.database)).differences, []);
    } finally {
      await service.stop();
    }
  });

  /** The reference time of all tests. It is read once, so that differences between times are exact. */
  const now = Date.now();
  const ago = (ms: number): string => new Date(now - ms).toISOString();
  const dayOf = (ms: number): string => ago(ms).slice(0, 10);
  const post = (
    event: string,
    body: Record<string, unknown>,
    more: { key?: string; oid?: string | undefined } = {},
  ): Promise<Reply> =>
    service.request('POST', `/v1/event/${event}`, {
      key: more.key ?? service.secretKey,
      body,
      headers: more.oid === undefined ? {} : { 'X-Service-OID': more.oid },
    });
  async function visit(code: string, occurredAt?: string, oid?: string): Promise<string> {
    const reply = await post('site-visited', { collaboratorId: `tracking:${code}`, occurredAt }, { oid });
    assert.equal(reply.status, 200, reply.text);
    return oidOf(reply);
  }
  /** Creates a program, runs a test while it is the only active program, and deactivates it. */
  async function withProgram(
    terms: Record<string, unknown>,
    story: (programId: number) => Promise<void>,
  ): Promise<void> {
    const id = await shop.program(terms);
    try {
      await story(id);
    } finally {
      await service.settled();
      await shop.change(`/v1/programs/${id}`, { status: 'inactive' });
    }
  }
  const earners = async (externalId: string): Promise<number[]> =>
    (await shop.earned(externalId)).map(({ collaboratorId }) => collaboratorId);
  const reasonOf = async (externalId: string, collaboratorId: number): Promise<string | undefined> =>
    (await shop.explain(externalId)).candidates.find((each) => each.collaboratorId === collaboratorId)?.reason;
  type Engagement = { score: number; firstAt: string; lastAt: string };
  const engagementOf = async (oid: string, collaboratorId: number): Promise<Engagement> => {
    const [found] = await shop.get<Engagement[]>(
      `/v1/engagements?opportunityId=${oid}&collaboratorId=${collaboratorId}&sort=-id`,
    );
    assert.ok(found);
    return found;
  };

  it('are rejected if occurredAt is out of bounds, and the error names the bounds', async () => {
    const binding = { source: 'shop', externalId: 'bounds' };
    const oid = await visit('ada');
    await shop.sell('bounds', oid);
    const reports: [string, Record<string, unknown>][] = [
      ['site-visited', { collaboratorId: 'tracking:ada' }],
      ['coupon-applied', { trackingId: oid, code: 'ada' }],
      ['custom', { trackingId: oid, event: 'signed-up' }],
      ['signed-up', { trackingId: oid }],
      ['lead', { trackingId: oid }],
      ['sale', { ...binding, externalId: 'bounds-2', total: 1, trackingId: oid }],
      ['renewal', { ...binding, externalId: 'bounds-3', saleExternalId: 'bounds', total: 1 }],
      ['refund', binding],
      ['refund', { ...binding, refundId: 'r', amount: 1 }],
    ];
    for (const [event, body] of reports) {
      for (const occurredAt of [ago(30 * DAY + HOUR), ago(-HOUR)]) {
        const reply = await post(event, { ...body, occurredAt });
        assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/occurredAt': 'out-of-range' }], event);
        const { errors } = reply.body as { errors: { detail: string }[] };
        assert.match(errors[0]?.detail ?? '', /at most 30 days ago and at most 5 minutes ahead/);
      }
      assert.deepEqual(faultCodes(await post(event, { ...body, occurredAt: 'yesterday' })), {
        '/occurredAt': 'invalid-format',
      });
    }
    assert.equal(
      (await post('sale', { ...binding, externalId: 'early', total: 1, trackingId: oid, occurredAt: ago(29 * DAY) }))
        .status,
      200,
    );
    assert.equal(
      (await post('sale', { ...binding, externalId: 'ahead', total: 1, trackingId: oid, occurredAt: ago(-4 * MINUTE) }))
        .status,
      200,
    );
  });

  it('use the times of the visit and the sale for the attribution window, not the times of their reports', () =>
    withProgram({ windowDays: 5 }, async () => {
      const oid = await visit('ada', ago(20 * DAY));
      await shop.sell('in-window', oid, { occurredAt: ago(16 * DAY) });
      await shop.sell('out-of-window', oid, { occurredAt: ago(14 * DAY) });
      await shop.sell('now', oid);
      assert.deepEqual(await earners('in-window'), [collaborators.ada]);
      assert.equal(await reasonOf('out-of-window', collaborators.ada), 'window-expired');
      assert.equal(await reasonOf('now', collaborators.ada), 'window-expired');
      const { occurredAt, createdAt } = (
        await shop.get<Record<string, string>[]>('/v1/transactions?externalId=in-window')
      )[0] as { occurredAt: string; createdAt: string };
      assert.equal(occurredAt, ago(16 * DAY));
      assert.ok(Date.parse(createdAt) >= now - MINUTE);
    }));

  it('credit the latest touch with last-touch, in any order of reports', () =>
    withProgram({}, async () => {
      const oid = await visit('ada');
      await visit('ben', ago(2 * DAY), oid);
      await shop.sell('last-touch', oid);
      assert.deepEqual(await earners('last-touch'), [collaborators.ada]);
      assert.equal(await reasonOf('last-touch', collaborators.ben), 'lost-to-newer');
    }));

  it('credit the earliest touch with first-touch, in any order of reports', () =>
    withProgram({ attribution: 'first-touch' }, async () => {
      const oid = await visit('ada', ago(DAY));
      await visit('ben', ago(2 * DAY), oid);
      await shop.sell('first-touch', oid);
      assert.deepEqual(await earners('first-touch'), [collaborators.ben]);
    }));

  it('with last-touch credit the touch that was reported last if touches are simultaneous', () =>
    withProgram({}, async () => {
      const oid = await visit('ben', ago(DAY));
      await visit('ada', ago(DAY), oid);
      await shop.sell('same-moment', oid);
      assert.deepEqual(await earners('same-moment'), [collaborators.ada]);
    }));

  it('without an occurredAt, sales count a visit that was reported before a clock was set back, also in the link figures', () =>
    withProgram({}, async () => {
      const eveId = await shop.collaborator('eve', { aliases: [{ type: 'tracking', code: 'eve' }] });
      const oid = await visit('eve');
      await service.settled();
      for (const text of [
        "update visits set occurred_at = occurred_at + interval '1 hour' where collaborator_id = $1",
        `update engagements set first_at = first_at + interval '1 hour', last_at = last_at + interval '1 hour'
         where collaborator_id = $1`,
      ])
        await service.database.query(text, [eveId]);
      await shop.sell('clock-put-back', oid);
      assert.deepEqual(await earners('clock-put-back'), [eveId]);
      const days = `from=${dayOf(DAY)}&until=${dayOf(-2 * DAY)}`;
      const { rows } = await shop.get<{ rows: { code: string | null; sales: number }[] }>(
        `/v1/figures?by=link&collaboratorId=${eveId}&${days}`,
      );
      assert.deepEqual(
        rows.filter(({ sales }) => sales > 0).map(({ code, sales }) => [code, sales]),
        [['eve', 1]],
      );
    }));

  it('move the first touch back to an older visit, but never the last touch', () =>
    withProgram({}, async () => {
      const oid = await visit('ada', ago(3 * DAY));
      await visit('ada', ago(DAY), oid);
      await visit('ada', ago(9 * DAY), oid);
      const { score, firstAt, lastAt } = await engagementOf(oid, collaborators.ada);
      assert.deepEqual([score, firstAt, lastAt], [3, ago(9 * DAY), ago(DAY)]);
    }));

  it('count touches up to five minutes after a late sale, but no later touches', () =>
    withProgram({ attribution: 'weighted' }, async () => {
      const soldAt = 3 * DAY;
      const oid = await visit('ada', ago(4 * DAY));
      await visit('ada', ago(soldAt - 4 * MINUTE), oid);
      await visit('ada', ago(soldAt - 6 * MINUTE), oid);
      await visit('ben', ago(DAY), oid);
      await shop.sell('late', oid, { occurredAt: ago(soldAt) });
      const { candidates } = await shop.explain('late');
      assert.deepEqual(
        candidates.map(({ collaboratorId, score }) => [collaboratorId, score]),
        [[collaborators.ada, 2]],
      );
      await shop.sell('afterwards', oid);
      assert.deepEqual(
        (await shop.explain('afterwards')).candidates.map(({ score }) => score).sort((a = 0, b = 0) => a - b),
        [1, 3],
      );
    }));

  it('count no touch reported after the sale, even if it occurred before the sale', () =>
    withProgram({}, async () => {
      const oid = await visit('ada', ago(DAY));
      await shop.sell('before', oid);
      await visit('ben', ago(HOUR), oid);
      await service.settled();
      assert.deepEqual(await earners('before'), [collaborators.ada]);
      assert.equal(await reasonOf('before', collaborators.ben), undefined);
    }));

  it('place the touch of a coupon right before a late sale', () =>
    withProgram({ triggers: { 'coupon-applied': 1 } }, async () => {
      const oid = await visit('ada', ago(20 * DAY));
      await shop.sell('late-coupon', oid, { occurredAt: ago(10 * DAY), couponCodes: ['ben'] });
      assert.deepEqual(await earners('late-coupon'), [collaborators.ben]);
      const organic = await post('sale', {
        source: 'shop',
        externalId: 'late-organic',
        total: 100,
        trackingId: null,
        couponCodes: ['ben'],
        occurredAt: ago(10 * DAY),
      });
      assert.equal(organic.status, 200);
      assert.deepEqual(await earners('late-organic'), [collaborators.ben]);
    }));

  it('count toward the cap of the period in which the sale occurred', () =>
    withProgram({ capPerPeriod: { period: 'day', amount: 1000 } }, async () => {
      const oid = await visit('ada', ago(20 * DAY));
      await shop.sell('cap-1', oid, { occurredAt: ago(10 * DAY) });
      await shop.sell('cap-2', oid, { occurredAt: ago(10 * DAY) });
      await shop.sell('cap-3', oid, { occurredAt: ago(11 * DAY) });
      await shop.sell('cap-4', oid);
      const amounts = await Promise.all(
        ['cap-1', 'cap-2', 'cap-3', 'cap-4'].map(async (sale) => (await shop.earned(sale)).map(({ amount }) => amount)),
      );
      assert.deepEqual(amounts, [[1000], [], [1000], [1000]]);
    }));

  it('complete an engagement in the order of reports, and count touches reported later for the next engagement', () =>
    withProgram({ creditsPer: 'opportunity' }, async () => {
      const oid = await visit('ada', ago(5 * DAY));
      await visit('ada', ago(HOUR), oid);
      await shop.sell('completes', oid, { occurredAt: ago(2 * DAY) });
      await service.settled();
      await visit('ada', ago(4 * DAY), oid);
      await shop.sell('next', oid);
      await shop.sell('third', oid);
      assert.deepEqual(await earners('completes'), [collaborators.ada]);
      assert.deepEqual(await earners('next'), [collaborators.ada]);
      assert.equal(await reasonOf('third', collaborators.ada), 'already-credited');
      await shop.refund('completes');
      await service.settled();
      await shop.sell('fourth', oid);
      assert.deepEqual(await earners('fourth'), [collaborators.ada]);
    }));

  it('complete engagements whose touches were reported before a sale, even if the touches occurred after it', () =>
    withProgram({ creditsPer: 'opportunity' }, async () => {
      const oid = await visit('ada', ago(5 * DAY));
      await visit('ben', ago(HOUR), oid);
      await shop.sell('completes-all', oid, { occurredAt: ago(2 * DAY) });
      assert.deepEqual(await earners('completes-all'), [collaborators.ada]);
      assert.equal(await reasonOf('completes-all', collaborators.ben), undefined);
      await shop.sell('after-all', oid);
      assert.deepEqual(await earners('after-all'), []);
      assert.equal(await reasonOf('after-all', collaborators.ben), 'already-credited');
      await shop.refund('completes-all');
      await service.settled();
      await shop.sell('after-refund', oid);
      assert.deepEqual(await earners('after-refund'), [collaborators.ben]);
    }));

  it('complete the engagements of merged visitors together, even if only some of the touches count', () =>
    withProgram({ creditsPer: 'opportunity' }, async () => {
      const known = async (occurredAt: string, oid?: string): Promise<string> => {
        const body = { collaboratorId: 'tracking:ada', occurredAt, userId: 31 };
        const reply = await post('site-visited', body, { oid });
        assert.equal(reply.status, 200, reply.text);
        return oidOf(reply);
      };
      await known(ago(5 * DAY));
      const other = await visit('ada', ago(HOUR));
      const oid = await known(ago(30 * MINUTE), other);
      await shop.sell('merged', oid, { occurredAt: ago(2 * DAY) });
      assert.deepEqual(await earners('merged'), [collaborators.ada]);
      await shop.sell('merged-next', oid);
      assert.equal(await reasonOf('merged-next', collaborators.ada), 'already-credited');
    }));

  it('schedule approval relative to the time of the sale', () =>
    withProgram({ approveAfterDays: 14 }, async () => {
      const oid = await visit('ada', ago(20 * DAY));
      await shop.sell('approved', oid, { occurredAt: ago(15 * DAY) });
      await shop.sell('waits', oid, { occurredAt: ago(13 * DAY) });
      await service.settled();
      const [waiting] = await shop.earned('waits');
      assert.equal((waiting as unknown as { approvesAt: string }).approvesAt, ago(-DAY));
    }));

  it('are recognized as repeats regardless of occurredAt', () =>
    withProgram({}, async () => {
      const oid = await visit('ada', ago(2 * DAY));
      await shop.sell('same', oid, { occurredAt: ago(DAY) });
      await shop.sell('same', oid);
      await shop.sell('same', oid, { occurredAt: ago(HOUR) });
      const [{ occurredAt }] = await shop.get<[{ occurredAt: string }]>('/v1/transactions?externalId=same');
      assert.equal(occurredAt, ago(DAY));
      const headers = { 'Idempotency-Key': 'same-visit' };
      for (const at of [ago(DAY), undefined, ago(HOUR)]) {
        const body = { collaboratorId: 'tracking:ada', occurredAt: at };
        const reply = await service.request('POST', '/v1/event/site-visited', {
          key: service.secretKey,
          body,
          headers,
        });
        assert.equal(reply.status, 200, reply.text);
      }
    }));

  it('are accepted from a browser, but their occurredAt is ignored, because anyone can read a publishable key', () =>
    withProgram({}, async () => {
      for (const occurredAt of [ago(9 * DAY), ago(99 * DAY)]) {
        const body = { collaboratorId: 'tracking:ada', occurredAt };
        const reply = await post('site-visited', body, { key: service.publishableKey });
        assert.equal(reply.status, 200, reply.text);
        const { firstAt } = await engagementOf(oidOf(reply), collaborators.ada);
        assert.ok(Date.parse(firstAt) >= now - MINUTE);
      }
    }));

  it('can be leads, renewals, custom events, and partial and full refunds', async () => {
    await post('site-visited', { collaboratorId: 'tracking:ada' });
    const created = await service.request('POST', '/v1/custom-events', {
      key: service.secretKey,
      body: { slug: 'quiz', name: 'Quiz' },
    });
    assert.equal(created.status, 201);
    const terms = { triggers: { quiz: 1 }, pays: ['sale', 'renewal'], renewals: { months: 1 } };
    await withProgram(terms, async () => {
      const oid = await visit('ada', ago(20 * DAY));
      assert.equal(
        (
          await post('custom', {
            event: 'quiz',
            trackingId: oid,
            collaboratorId: 'tracking:ada',
            occurredAt: ago(19 * DAY),
          })
        ).status,
        200,
      );
      await shop.sell('all', oid, { occurredAt: ago(18 * DAY) });
      await shop.renew('all-2', 'all', { occurredAt: ago(17 * DAY) });
      await shop.lead(oid, { occurredAt: ago(16 * DAY) });
      assert.deepEqual(await earners('all-2'), [collaborators.ada]);
      const binding = { source: 'shop', externalId: 'all' };
      assert.equal(
        (await post('refund', { ...binding, refundId: 'r', amount: 1, occurredAt: ago(15 * DAY) })).status,
        200,
      );
      assert.equal((await post('refund', { ...binding, occurredAt: ago(14 * DAY) })).status, 200);
      assert.equal(
        (await post('refund', { ...binding, externalId: 'all-2', refundId: 'full', occurredAt: ago(13 * DAY) })).status,
        200,
      );
      const refundedAt = async (externalId: string) =>
        (await shop.get<[{ refundedAt: string }]>(`/v1/transactions?externalId=${externalId}`))[0].refundedAt;
      assert.deepEqual([await refundedAt('all'), await refundedAt('all-2')], [ago(14 * DAY), ago(13 * DAY)]);
    });
  });

  it('count once, on the day they occurred, even in figures that were summed earlier', () =>
    withProgram({}, async () => {
      const read = async (): Promise<Record<string, number[]>> => {
        const { rows } = await shop.get<{
          rows: { day: string; visits: number; sales: number; amounts: { revenue: number; refunded: number }[] }[];
        }>(`/v1/figures?from=${dayOf(25 * DAY)}&until=${dayOf(-2 * DAY)}&by=day`);
        return Object.fromEntries(
          rows.map(({ day, visits, sales, amounts: [{ revenue, refunded } = { revenue: 0, refunded: 0 }] }) => [
            day,
            [visits, sales, revenue, refunded],
          ]),
        );
      };
      const total = (figures: Record<string, number[]>): number[] =>
        Object.values(figures).reduce((sums, row) => sums.map((sum, n) => sum + (row[n] ?? 0)), [0, 0, 0, 0]);
      const waitForSums = async () => addRounds(service.database, await readClosed(service.database, 0), ROUND);
      await service.settled();
      await waitForSums();
      const first = await read();
      const oid = await visit('ada', ago(24 * DAY));
      await shop.sell('figured', oid, { occurredAt: ago(23 * DAY) });
      await post('refund', {
        source: 'shop',
        externalId: 'figured',
        refundId: 'r',
        amount: 10,
        occurredAt: ago(22 * DAY),
      });
      await service.settled();
      const expect = {
        ...first,
        [dayOf(24 * DAY)]: plus(first[dayOf(24 * DAY)], [1, 0, 0, 0]),
        [dayOf(23 * DAY)]: plus(first[dayOf(23 * DAY)], [0, 1, 10_000, 0]),
        [dayOf(22 * DAY)]: plus(first[dayOf(22 * DAY)], [0, 0, 0, 1_000]),
      };
      assert.deepEqual(await read(), expect, 'figures computed from facts');
      await waitForSums();
      assert.deepEqual(await read(), expect, 'figures computed from sums');
      assert.deepEqual(total(expect), plus(total(first), [1, 1, 10_000, 1_000]));
      assert.deepEqual((await verify(service.database)).breaches, []);
    }));

  function plus(one: readonly number[] = [0, 0, 0, 0], other: readonly number[]): number[] {
    return one.map((value, n) => value + (other[n] ?? 0));
  }
});
