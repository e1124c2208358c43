import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  addRounds,
  type Counted,
  type Facts,
  openWorkerPool,
  type Question,
  readFacts,
  recount,
  spreadOverDays,
  type CountingPrograms,
} from '#test/support/figures.ts';
import { startProcess } from '#test/support/process.ts';
import { type Dice, diceOf, SEED } from '#test/support/random.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop, startBeside } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';

const DAYS = 70;
const STEPS = 90;
/** The minimum numbers of visits and of refunded transactions. A history continues until it has both. */
const ENOUGH = { visits: 21, refunds: 4 };
/** The numbers of visits and of other facts that a round adds to the sums. They are small, so there are many rounds. */
const ROUND = { visits: 3, others: 2 };

type Row = Omit<Counted, 'amounts'> & {
  readonly day?: string;
  readonly collaboratorId?: number;
  readonly programId?: number;
  readonly source?: string;
  readonly linkId?: number | null;
  readonly code?: string | null;
  readonly amounts: readonly { currency: string; revenue: number; refunded: number; earned: number }[];
};

describe(`figures of a random history (TEST_SEED=${SEED})`, () => {
  const dice = diceOf(SEED);
  let service: TestService;
  let shop: Shop;
  let people: number[];
  let programs: number[];
  let facts: Facts;
  let touching: CountingPrograms;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    ({ people, programs, touching } = await reportAll(service, shop, dice));
    await decided();
    await spreadOverDays(service, DAYS);
    facts = await readFacts(shop, touching);
  });
  after(() => service.stop());

  /** Starts a worker, waits until it has decided all events, and stops it. New events are too recent to be summed. */
  async function decided(): Promise<void> {
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await service.settled();
    await worker.stop();
  }

  const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);

  /**
   * Returns a question for each combination of dimension, filter and span. The spans are all days with facts, 62 days
   * and 8 days.
   */
  function questions(): Question[] {
    const spans = [
      { from: day(DAYS + 1), until: day(-1) },
      { from: day(DAYS - 5), until: day(3) },
      { from: day(20), until: day(12) },
    ];
    const [collaboratorId = 0] = people;
    const [programId = 0] = programs;
    const filters = [
      {},
      { collaboratorId },
      { programId },
      { source: 'shop' },
      { collaboratorId, programId, source: 'shop' },
    ];
    const dimensions = ['day', 'collaborator', 'program', 'source', 'link', 'total'] as const;
    return spans.flatMap((span) => dimensions.flatMap((by) => filters.map((filter) => ({ ...span, by, ...filter }))));
  }

  /**
   * Asserts that the figures equal a recount of the facts, for a random share of all questions. A share is enough and
   * saves time, because the first test asks all questions.
   */
  async function assertExact(share = 1): Promise<void> {
    for (const question of questions().filter(() => dice.chance(share))) {
      const query = new URLSearchParams(
        Object.entries(question).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const { rows } = await shop.get<{ rows: Row[] }>(`/v1/figures?${query.toString()}`);
      const shown = Object.fromEntries(rows.map((row) => [keyOf(row, question.by), countedOf(row)]));
      assert.deepEqual(withoutEmpty(shown), withoutEmpty(recount(facts, question)), JSON.stringify(question));
    }
  }

  const figureBreaches = async () =>
    (await verify(service.database)).breaches.filter(({ invariant }) => /^the sums of (visits|sales)/.test(invariant));

  it('equal figures counted from the API’s lists before any sums are stored', async () => {
    assert.ok(facts.visits.length > 20 && facts.refunds.length > 3 && facts.conversions.length > 20);
    assert.ok(new Set(facts.transactions.map(({ type }) => type)).size === 3);
    await assertExact();
  });

  it('stay the same while two workers add older visits, sales and refunds to the sums in rounds', async () => {
    const pools = [openWorkerPool(service), openWorkerPool(service)];
    try {
      const now = new Date().toISOString();
      assert.equal(await addRounds(pools[0]!, now, ROUND, 8), 8);
      await assertExact(0.25);
      assert.deepEqual(await figureBreaches(), []);
      await Promise.all(pools.map((pool) => addRounds(pool, now, ROUND)));
      await assertExact(0.25);
      assert.deepEqual(await figureBreaches(), []);
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });

  it('include refunds, corrections, credits and merges reported after their sales were summed', async () => {
    const body = { collaboratorId: people.at(-1), programId: programs[0], amount: 77 };
    let credits = 0;
    for (const { id } of facts.transactions.filter(({ type }) => type === 'sale')) {
      const path = `/v1/transactions/${id}/credits`;
      const { status } = await service.request('POST', path, { key: service.secretKey, body });
      // A credit is refused if the collaborator already earned from the sale, or if the sale is refunded.
      assert.ok(status === 201 || status === 409);
      if (status === 201) credits += 1;
    }
    assert.ok(credits > 0);
    for (const { id } of facts.transactions.slice(-3)) {
      const { externalId, source } = await shop.get<{ externalId: string; source: string }>(`/v1/transactions/${id}`);
      const refund = { source, externalId };
      assert.equal(
        (await service.request('POST', '/v1/event/refund', { key: service.secretKey, body: refund })).status,
        200,
      );
    }
    const sold = facts.transactions.filter(
      ({ id, type }) => type === 'sale' && !facts.refunds.some((of) => of.transactionId === id),
    );
    for (const { id } of sold.slice(0, 3)) {
      const { externalId, source } = await shop.get<{ externalId: string; source: string }>(`/v1/transactions/${id}`);
      await shop.correct(externalId, { source, correctionId: 'late', total: 77 });
    }
    const [one, other] = [await shop.visit('c0', { userId: 990 }), await shop.visit('c1')];
    await shop.visit('c1', { oid: other, userId: 990 });
    await shop.visit('c1', { oid: one });
    await decided();
    facts = await readFacts(shop, touching);
    await assertExact(0.25);
    const pool = openWorkerPool(service);
    try {
      await addRounds(pool, new Date(Date.now() + 1_000).toISOString(), ROUND);
    } finally {
      await pool.end();
    }
    await assertExact(0.25);
    assert.deepEqual(await figureBreaches(), []);
  });

  it('follow a change of the time zone at once, and stay exact while a worker rebuilds the sums', async () => {
    const pool = openWorkerPool(service);
    try {
      for (const timeZone of ['Asia/Kolkata', 'America/St_Johns', 'UTC']) {
        await service.request('PATCH', '/v1/organization', { key: service.secretKey, body: { timeZone } });
        facts = await readFacts(shop, touching, timeZone);
        await assertExact(0.25);
        const until = new Date(Date.now() + 1_000).toISOString();
        await addRounds(pool, until, ROUND, 9);
        await assertExact(0.1);
        await addRounds(pool, until, ROUND);
        await assertExact(0.25);
        assert.deepEqual(await figureBreaches(), []);
      }
    } finally {
      await pool.end();
    }
  });

  it('stay complete when a worker is killed in the middle of a summing round', async () => {
    for (const table of ['sum_marks', 'visit_sums', 'sale_sums']) await service.database.query(`delete from ${table}`);
    const holder = await service.database.connect();
    try {
      await holder.query('begin; lock table sale_sums in exclusive mode');
      const worker = await startProcess({ DATABASE_URL: service.databaseUrl, WHENCE_ROLE: 'worker' });
      await until(`exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%insert into sale_sums%')`);
      worker.signal('SIGKILL');
      await worker.exited;
      await holder.query('rollback');
    } finally {
      holder.release();
    }
    await until(`not exists (select from pg_stat_activity where datname = current_database() and query like '%insert into sale_sums%'
      and pid <> pg_backend_pid() and state <> 'idle')`);
    const { rows } = await service.database.query('select from visit_sums');
    assert.equal(rows.length, 0, 'a round is added to the sums as a whole or not at all');
    await assertExact(0.25);
    // The next worker adds the facts to the sums by itself.
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await until(`exists (select from sale_sums)`);
    await worker.stop();
    await assertExact(0.25);
    assert.deepEqual(await figureBreaches(), []);
  });

  async function until(condition: string): Promise<void> {
    const deadline = performance.now() + 30_000;
    for (;;) {
      const { rows } = await service.database.query<{ met: boolean }>(`select ${condition} as met`);
      if (rows[0]?.met === true) return;
      assert.ok(performance.now() < deadline, condition);
    }
  }
});

function keyOf(row: Row, by: Question['by']): string {
  const link = row.code === null || row.code === undefined ? null : `tracking:${row.code}`;
  return {
    day: row.day ?? '',
    collaborator: String(row.collaboratorId),
    program: String(row.programId),
    source: row.source ?? '',
    link: `${row.collaboratorId} ${link}`,
    total: 'total',
  }[by];
}

function countedOf({ visits, sales, renewals, leads, conversions, amounts }: Row): Counted {
  const byCurrency = Object.fromEntries(
    amounts.map(({ currency, revenue, refunded, earned }) => [
      currency,
      [revenue, refunded, earned] as [number, number, number],
    ]),
  );
  return { visits, sales, renewals, leads, conversions, amounts: byCurrency };
}

/** Removes rows and amounts that are all zero. The service returns days without facts, but the recount does not. */
function withoutEmpty(rows: Record<string, Counted>): Record<string, Counted> {
  return Object.fromEntries(
    Object.entries(rows)
      .map(([key, row]): [string, Counted] => {
        const amounts = Object.entries(row.amounts).filter(([, amount]) => amount.some((each) => each !== 0));
        return [key, { ...row, amounts: Object.fromEntries(amounts) }];
      })
      .filter(
        ([, { visits, sales, renewals, leads, conversions, amounts }]) =>
          (visits ?? 0) + sales + renewals + leads + conversions + Object.keys(amounts).length > 0,
      ),
  );
}

type Reported = { readonly people: number[]; readonly programs: number[]; readonly touching: CountingPrograms };

/** Reports random visits, sales, leads, renewals, refunds and corrections, while programs and enrollments change. */
async function reportAll(service: TestService, shop: Shop, { roll, chance, pick }: Dice): Promise<Reported> {
  const key = service.secretKey;
  const people: number[] = [];
  for (let n = 0; n < 5; n += 1) people.push(await shop.collaborator(`c${n}`, { userId: 500 + n }));
  const programs = [
    await shop.program({ autoApprove: true, pays: ['sale', 'renewal'] }),
    await shop.program({ name: 'Shared', attribution: 'linear', reward: { type: 'percent', percent: 5 } }),
    await shop.program({ name: 'Leads', reward: { type: 'per-lead', amount: 150 }, currency: 'EUR' }),
    await shop.program({ name: 'Chosen', enrollment: 'selected', reward: { type: 'per-sale', amount: 40 } }),
  ];
  const enrolled = new Set<number>();
  const off = new Set<number>();
  /** The programs that count each collaborator's visits, starting with the event whose id is `from`. */
  const phases: { from: number; touched: Map<number, number[]> }[] = [];
  const lastEvent = async (): Promise<number> => (await shop.get<{ id: number }[]>('/v1/events?perPage=1'))[0]?.id ?? 0;
  const beginPhase = async (): Promise<void> => {
    const touched = people.map((id): [number, number[]] => [
      id,
      programs.filter((program) => !off.has(program) && (program !== programs[3] || enrolled.has(id))),
    ]);
    phases.push({ from: (await lastEvent()) + 1, touched: new Map(touched) });
  };
  await beginPhase();
  const visitors: string[] = [];
  const sales: string[] = [];
  const refunded = new Set<string>();
  const enough = (): boolean => visitors.length >= ENOUGH.visits && refunded.size >= ENOUGH.refunds;
  for (let n = 0; n < STEPS || !enough(); n += 1) {
    const code = `c${roll(people.length)}`;
    const visitor = visitors.length > 0 && chance(0.7) ? pick(visitors) : undefined;
    const oid = visitor === undefined ? {} : { oid: visitor };
    switch (visitors.length === 0 ? 0 : roll(12)) {
      case 0:
      case 1:
      case 2:
      case 3:
        visitors.push(await shop.visit(code, oid));
        break;
      case 4: {
        // A visit with a user id claims the opportunity, and merges it if the user already has another opportunity.
        visitors.push(await shop.visit(code, { ...oid, userId: 40 + roll(4) }));
        break;
      }
      case 5:
      case 6:
      case 7: {
        const id = `s${n}`;
        const more = {
          total: 10 + roll(90),
          currency: pick(['USD', 'USD', 'EUR']),
          source: pick(['shop', 'shop', 'app']),
        };
        await shop.sell(id, pick(visitors), more);
        if (more.source === 'shop') sales.push(id);
        break;
      }
      case 8:
        await shop.lead(pick(visitors));
        break;
      case 9: {
        if (sales.length === 0) break;
        const id = `r${n}`;
        await shop.renew(id, pick(sales.filter((sale) => sale.startsWith('s'))), { total: 20 + roll(9) });
        sales.push(id);
        break;
      }
      case 10: {
        if (sales.length === 0) break;
        if (chance(0.4)) {
          // A correction can also change the refunded amount of a refunded sale, but journeys don't show that change.
          const unrefunded = sales.filter((sale) => !refunded.has(sale));
          const body = { source: 'shop', correctionId: `c${n}`, total: 10 + roll(90) };
          for (const externalId of unrefunded.slice(-1)) await shop.correct(externalId, body);
          break;
        }
        const part = chance(0.6) ? { refundId: `p${n}`, amount: 1 + roll(5) } : {};
        const externalId = pick(sales);
        const body = { source: 'shop', externalId, ...part };
        const { status } = await service.request('POST', '/v1/event/refund', { key, body });
        assert.ok(status === 200 || status === 422);
        if (status === 200) refunded.add(externalId);
        break;
      }
      default: {
        const program = programs[1] ?? 0;
        const who = pick(people);
        if (chance(0.5)) {
          await shop.change(`/v1/programs/${program}`, { status: off.has(program) ? 'active' : 'inactive' });
          if (!off.delete(program)) off.add(program);
        } else if (!enrolled.has(who)) {
          const path = `/v1/programs/${programs[3]}/collaborators`;
          const { status } = await service.request('POST', path, { key, body: { collaboratorId: who } });
          assert.equal(status, 201);
          enrolled.add(who);
        }
        await beginPhase();
      }
    }
  }
  return {
    people,
    programs,
    touching: (eventId, collaboratorId) =>
      phases.findLast(({ from }) => from <= eventId)?.touched.get(collaboratorId) ?? [],
  };
}
