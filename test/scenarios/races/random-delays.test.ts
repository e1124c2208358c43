// Reports each random history twice. The first time, each report is decided immediately. The second time, all reports
// are decided at the end. Every amount must be the same. WHENCE_SEEDS sets the number of histories.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import type { Fact } from '#test/oracle/facts.ts';
import { type Lateness, prepareLateness } from '#test/oracle/lateness.ts';
import { isHasty } from '#test/oracle/merchant.ts';
import { randomBeginning, randomFact } from '#test/oracle/random-fact.ts';
import { compare, factText, openStory, settled, type Story, reportToBoth } from '#test/oracle/story.ts';
import { type Dice, diceOf, SEED } from '#test/support/random.ts';
import { eachRound, fileLimitMs, countRounds } from '#test/support/rounds.ts';
import { startService, type TestService } from '#test/support/service.ts';

const SEEDS = Number(process.env['WHENCE_SEEDS'] ?? countRounds(300, 10));
const FACTS = 40;
/**
 * The time since the start of the process, in milliseconds, after which no further history begins. So a slow machine
 * reports fewer histories.
 */
const TELLING_MS = fileLimitMs() / 2;

describe(`random reports, once decided immediately and once decided late (TEST_SEED=${SEED})`, () => {
  let service: TestService;
  let lateness: Lateness;
  before(async () => {
    service = await startService();
    lateness = await prepareLateness(service);
  });
  after(() => service.stop());

  it('result in the amounts that the rules require, to the cent', async (test) => {
    let histories = 0;
    await eachRound(SEEDS, async (round) => {
      if (performance.now() > TELLING_MS) return;
      histories += 1;
      const seed = SEED + round;
      const [idle, behind] = await runTwins(seed);
      const history = idle.facts.map(factText).join('\n');
      for (const story of [idle, behind]) {
        assert.deepEqual(await compare(story, 'all'), [], `seed ${seed}\n${history}`);
      }
      assert.deepEqual(await readDecisions(behind), await readDecisions(idle), `seed ${seed}\n${history}`);
    });
    test.diagnostic(`${histories} of ${SEEDS} histories were reported`);
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replaySales(service.database)).differences, []);
    assert.deepEqual((await replayReports(service.database)).differences, []);
  });

  async function runTwins(seed: number): Promise<[idle: Story, behind: Story]> {
    const dice = diceOf(seed);
    const idle = await openStory(service, `idle ${seed}`);
    const behind = await openStory(service, `behind ${seed}`, lateness);
    const beginning = randomBeginning(dice).map((fact) => withTermsThatLookBack(dice, fact));
    for (let n = 0; n < beginning.length + FACTS; n += 1) {
      const fact = beginning[n] ?? hastyFact(dice, idle);
      for (const story of [idle, behind]) {
        assert.deepEqual(await reportToBoth(story, fact), [], `seed ${seed}, ${factText(fact)}`);
      }
      await settled(idle);
    }
    await settled(behind);
    return [idle, behind];
  }

  /** Returns the explanation of every decision, with the names of the story instead of ids, and without times. */
  async function readDecisions({ merchant }: Story): Promise<unknown[]> {
    const [programs, collaborators] = [merchant.programs, merchant.collaborators].map(
      (ids) => new Map([...ids].map(([name, id]) => [id, name])),
    );
    const { rows } = await service.database.query<{ candidates: Record<string, unknown>[] }>(
      `select t.type, t.total, t.status, x.base, x.currency, x.reason, x.omitted, x.candidates
       from explanations x
       join transactions t on t.organization_id = x.organization_id and t.id = x.transaction_id
       where x.organization_id = $1 order by t.event_id`,
      [merchant.organizationId],
    );
    return rows.map(({ candidates, ...explanation }) => ({
      ...explanation,
      candidates: candidates
        .map(
          ({
            programId,
            collaboratorId,
            engagementId: _,
            completedBy: __,
            firstAt: ___,
            firstVisitId: ____,
            lastAt: _____,
            ...facts
          }) =>
            JSON.stringify(
              {
                program: programs?.get(programId as number),
                collaborator: collaborators?.get(collaboratorId as number),
                ...facts,
              },
              // The measured value of a fraud signal. The two stories report at different moments.
              (name, value: unknown) => (name === 'secondsToSale' ? undefined : value),
            ),
        )
        .sort(),
    }));
  }
});

/**
 * Returns the fact. Most new programs get terms that depend on earlier decisions, because only such terms can reveal
 * decisions in a wrong order.
 */
function withTermsThatLookBack(dice: Dice, fact: Fact): Fact {
  if (fact.do !== 'program' || dice.chance(0.2)) return fact;
  const terms = dice.pick([
    { creditsPer: 'opportunity' },
    { capPerPeriod: { period: 'lifetime', amount: 100 + dice.roll(2_000) } },
  ] as const);
  return { ...fact, terms: { ...fact.terms, ...terms } };
}

/** Draws a random fact that can be reported before earlier facts are decided. */
function hastyFact(dice: Dice, { world, facts }: Story): Fact {
  for (;;) {
    const fact = randomFact(dice, world, facts);
    if (isHasty(fact)) return fact;
  }
}
