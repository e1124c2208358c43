// Backtests random histories of the oracle (test/oracle) with the terms that were in force. WHENCE_SEEDS sets the number
// of histories. WHENCE_SEED, or `npm run races -- --seed`, runs a single history.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Draft } from '#backtest/domain/draft.ts';
import type { BacktestOutcome } from '#backtest/reactions/run-backtest.ts';
import type { OrganizationId, ProgramId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import { inTenantTransaction } from '#platform/postgres/tenant.ts';
import { findCurrentPrograms } from '#programs/store/programs.ts';
import { type Lateness, prepareLateness } from '#test/oracle/lateness.ts';
import { loyalBeginning, loyalFact } from '#test/oracle/loyal-visitor.ts';
import { randomBeginning, randomFact } from '#test/oracle/random-fact.ts';
import { factText, openStory, reportToBoth, settled, type Story } from '#test/oracle/story.ts';
import { runAlone } from '#test/backtest/drafts.ts';
import { type Dice, diceOf, SEED } from '#test/support/random.ts';
import { AMOUNT, countRounds, fileLimitMs } from '#test/support/rounds.ts';
import { startService, type TestService } from '#test/support/service.ts';

const SEEDS = Number(process.env['WHENCE_SEEDS'] ?? countRounds(400, 24));
const ONLY = process.env['WHENCE_SEED'] ?? (AMOUNT === 'one' ? SEED : undefined);
const seeds = ONLY === undefined ? Array.from({ length: SEEDS }, (_, n) => 1 + n) : [Number(ONLY)];
const AT_ONCE = 4;
/**
 * Every fourth history has a delayed pipeline, and every eighth is about a visitor who often buys and returns goods.
 */
const LATE_EVERY = 4;
const LOYAL_EVERY = 8;
const WHOLE = { from: 0 as Instant, until: (Date.UTC(2200, 0, 1) * 1_000) as Instant };

describe('a backtest with the terms that were in force', () => {
  let service: TestService;
  let lateness: Lateness;
  before(async () => {
    service = await startService();
    lateness = await prepareLateness(service);
  });
  after(() => service.stop());

  it('equals the books to the cent, for random histories and random periods', async (test) => {
    const failures: string[] = [];
    let [histories, decided, restated] = [0, 0, 0];
    const queue = seeds.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const seed of queue) {
          if (performance.now() > fileLimitMs() - 30_000) break;
          const dice = diceOf(seed);
          const story = await tellHistory(seed, dice);
          const drafts = [{ name: 'as it was', programs: [] }, await restate(story)];
          for (const period of [WHOLE, await randomPeriod(story, dice)]) {
            const found = await backtest(story, period, drafts);
            decided += found.decided;
            restated += drafts[1]?.programs.length ?? 0;
            failures.push(...found.differences.map((text) => `seed ${seed}, ${JSON.stringify(period)}: ${text}`));
            if (found.differences.length > 0) failures.push(story.facts.map(factText).join('\n'));
          }
          histories += 1;
        }
      }),
    );
    test.diagnostic(`${histories} histories, ${decided} decisions, ${restated} restated programs`);
    assert.deepEqual(failures.slice(0, 40), []);
    assert.ok(decided > 0);
  });

  async function tellHistory(seed: number, dice: Dice): Promise<Story> {
    const isLoyal = seed % LOYAL_EVERY === 0;
    const story = await openStory(service, `seed ${seed}`, seed % LATE_EVERY === 0 ? lateness : undefined);
    const beginning = isLoyal ? loyalBeginning(dice) : randomBeginning(dice);
    const steps = beginning.length + 20 + dice.roll(21);
    for (let step = 0; step < steps; step += 1) {
      const fact =
        beginning[step] ?? (isLoyal ? loyalFact(dice, story.world) : randomFact(dice, story.world, story.facts));
      assert.deepEqual(await reportToBoth(story, fact), [], `seed ${seed}`);
    }
    await settled(story);
    return story;
  }

  /** Returns a draft that repeats the terms of all programs that existed before the first touch and never changed. */
  async function restate({ merchant }: Story): Promise<Draft> {
    const organizationId = merchant.organizationId as OrganizationId;
    const { rows } = await service.database.query<{ id: ProgramId }>(
      `select program_id as id from program_versions v where organization_id = $1
       group by program_id
       having count(*) = 1 and max(config_version) <= coalesce((
         select min(config_version) from visits where organization_id = $1), 0)
       order by 1`,
      [organizationId],
    );
    const ids = rows.map(({ id }) => id);
    const programs = await inTenantTransaction({ connection: service.database, organizationId }, (tenant) =>
      findCurrentPrograms(tenant, ids),
    );
    return {
      name: 'restated',
      programs: [...programs].map(([programId, { fields }]) => ({ programId, terms: fields, enrolled: null })),
    };
  }

  /**
   * Returns a period that begins at the time of a random transaction. It ends at the time of another transaction, or
   * has no end. Returns the whole time if there are fewer than two transactions.
   */
  async function randomPeriod({ merchant }: Story, dice: Dice): Promise<typeof WHOLE> {
    const { rows } = await service.database.query<{ at: Instant }>(
      `select (extract(epoch from occurred_at) * 1000000)::bigint as at from transactions where organization_id = $1
       order by 1`,
      [merchant.organizationId],
    );
    if (rows.length < 2) return WHOLE;
    const [a, b] = [dice.roll(rows.length), dice.roll(rows.length)];
    const [from, until] = [rows[Math.min(a, b)]?.at, rows[Math.max(a, b)]?.at];
    return { from: from ?? WHOLE.from, until: dice.chance(0.5) ? WHOLE.until : (until ?? WHOLE.until) };
  }

  async function backtest(
    { merchant }: Story,
    period: typeof WHOLE,
    drafts: readonly Draft[],
  ): Promise<{ decided: number; differences: string[] }> {
    const organizationId = merchant.organizationId as OrganizationId;
    const outcome: BacktestOutcome = await runAlone(
      { connection: service.database, organizationId },
      { period, drafts },
    );
    assert.equal(outcome.kind, 'done');
    if (outcome.kind !== 'done') return { decided: 0, differences: [] };
    const { rows } = await service.database.query<{ currency: string; sum: string }>(
      `select c.currency, sum(c.amount)::text as sum
       from conversions c join transactions t on t.organization_id = $1 and t.id = c.transaction_id
       join explanations x on x.organization_id = $1 and x.transaction_id = t.id
       where c.organization_id = $1 and c.status <> 'rejected' and c.amount > 0
         and t.occurred_at >= to_timestamp(0) + $2 * interval '1 microsecond'
         and t.occurred_at < to_timestamp(0) + $3 * interval '1 microsecond'
       group by 1 order by 1`,
      [organizationId, period.from, period.until],
    );
    const books = rows.map(({ currency, sum }) => `${currency} ${sum}`);
    const differences = outcome.drafts.flatMap(({ name, totals, partners, months, lines, hands, differing }) => [
      ...differing.map((sale) => `${name}: ${sale.recordedText}\n--- drafted:\n${sale.draftedText}`),
      ...hands.map((sale) => `${name}: transaction ${sale.transactionId} changes hands`),
      ...[...totals, ...partners, ...months, ...lines]
        .filter(({ recorded, drafted }) => recorded !== drafted)
        .map((row) => `${name}: ${row.recorded} became ${row.drafted}`),
      ...[totals, partners, months, lines]
        .map((each) => sumsOf(each))
        .filter((sums) => JSON.stringify(sums) !== JSON.stringify(books))
        .map((sums) => `${name}: ${sums.join()} instead of ${books.join()} in the books`),
    ]);
    return { decided: outcome.decided, differences };
  }
});

/** Returns the sum of each currency in which commissions exist. */
function sumsOf(rows: readonly { readonly currency: string; readonly recorded: bigint }[]): string[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, all]) => ({ currency, sum: all.reduce((sum, { recorded }) => sum + recorded, 0n) }))
    .filter(({ sum }) => sum > 0n)
    .map(({ currency, sum }) => `${currency} ${sum}`)
    .sort();
}
