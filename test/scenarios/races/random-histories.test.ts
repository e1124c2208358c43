// Reports random histories to the service over HTTP and to the oracle in test/oracle. The oracle computes all earnings
// and payouts from the rules alone, and its results must match. WHENCE_SEEDS sets the number of histories, and
// WHENCE_FIRST_SEED the first seed. WHENCE_SEED, or `npm run races -- --seed`, runs a single history.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId } from '#core/ids.ts';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import type { Fact } from '#test/oracle/facts.ts';
import { isHeld } from '#test/oracle/holds.ts';
import { loyalBeginning, loyalFact } from '#test/oracle/loyal-visitor.ts';
import { randomBeginning, randomFact } from '#test/oracle/random-fact.ts';
import { type Lateness, prepareLateness } from '#test/oracle/lateness.ts';
import { isHasty } from '#test/oracle/merchant.ts';
import { compare, factText, isPossible, openStory, settled, type Story, reportToBoth } from '#test/oracle/story.ts';
import type { World } from '#test/oracle/world.ts';
import { type Dice, diceOf, SEED } from '#test/support/random.ts';
import { AMOUNT, fileLimitMs, countRounds } from '#test/support/rounds.ts';
import { startService, type TestService } from '#test/support/service.ts';

const SEEDS = Number(process.env['WHENCE_SEEDS'] ?? countRounds(1_000, 64));
const ONLY = process.env['WHENCE_SEED'] ?? (AMOUNT === 'one' ? SEED : undefined);
const FIRST = Number(process.env['WHENCE_FIRST_SEED'] ?? 1);
const AT_ONCE = 6;
/** Every fourth history has a delayed pipeline, which decides events long after they are reported. */
const LATE_EVERY = 4;
/** Every eighth history is about one visitor who often buys and returns goods. Its pipeline is also delayed. */
const LOYAL_EVERY = 8;
/** The time since the start of the process, in milliseconds, after which no history gets another step. */
const RUNNING_MS = fileLimitMs() - 40_000;
/**
 * The time since the start of the process, in milliseconds, after which incomplete histories are no longer compared
 * with the oracle.
 */
const ENDING_MS = fileLimitMs() - 25_000;
/** The time since the start of the process, in milliseconds, after which failing histories are no longer shortened. */
const SHORTENING_MS = fileLimitMs() - 15_000;
/** The maximum number of failures that are reported in full. */
const MAX_REPORTED = 3;

const seeds = ONLY === undefined ? Array.from({ length: SEEDS }, (_, n) => FIRST + n) : [Number(ONLY)];

/** Cases of the rules that a few dozen histories must cover. */
const EXPECTED = wordsOf(`
  sale, lead, renewal, no-engagement, no-original-conversion, refunded, refunded in part, corrected, raised, lowered,
  corrected with refunds, merge, united claims,
  program-inactive, event-not-paid, collaborator-inactive, not-enrolled, self-referral, already-credited,
  currency-mismatch, nothing-counted, lost-in-group, lost-to-newer, lost-to-older, lost-to-higher,
  cap-reached, no-program, won, cut by a cap, opportunity-invalid, visitor invalid, visitor removed,
  quick-sale, held,
  sale pending, sale approved, sale rejected, manual approved,
  obligation draft, obligation pending, obligation fulfilled, obligation rejected,
  run pending, run processing, paid, unpaid, void, flag null, flag keep, flag claw-back`);
const ENOUGH = 50;
/** Cases of the rules that occur in at most one of ten histories. A few hundred histories must cover them. */
const RARE = wordsOf(`
  renewal-limit, below-minimum, share-is-zero, renewal pending, renewal approved, renewal rejected,
  lead pending, lead approved, lead rejected, manual pending, manual rejected, claw-back pending, claw-back fulfilled,
  run complete, run failed, flag void, opportunity-removed, own-coupon, cleared, ended while held`);
const ENOUGH_FOR_RARE = 200;

describe('random histories', () => {
  let service: TestService;
  let lateness: Lateness;
  before(async () => {
    service = await startService();
    lateness = await prepareLateness(service);
  });
  after(() => service.stop());

  it('pay the amounts that the rules require, at every step and to the cent', async (test) => {
    const running = await runHistories({ service, lateness }, seeds);
    const failures = running.filter(({ found }) => found.length > 0);
    test.diagnostic(`${completed} of ${seeds.length} histories were completed`);
    const reports: string[] = [];
    for (const { seed, story, found } of failures.slice(0, MAX_REPORTED)) {
      reports.push(await failureText({ service, lateness }, seed, { facts: story.facts, found }));
    }
    if (reports.length > 0) assert.fail(reports.join('\n\n'));
  });

  it('cover every expected case of the rules', (test) => {
    // Check the cases only if the histories begin with seed 1. Don't check them if failures or a slow machine left
    // only a few complete histories.
    const mustCoverAll = FIRST === 1 && completed >= ENOUGH;
    if (!mustCoverAll)
      test.diagnostic(`the cases were not checked: only the first ${ENOUGH} or more histories must cover every case`);
    const expected = mustCoverAll ? [...EXPECTED, ...(completed < ENOUGH_FOR_RARE ? [] : RARE)] : [];
    const missing = expected.filter((word) => !seen.has(word));
    assert.deepEqual(missing, [], JSON.stringify(Object.fromEntries(seen)));
  });

  it('are decided identically when their sales are replayed', async () => {
    const { decided, differences } = await replaySales(service.database);
    assert.deepEqual(differences, []);
    assert.ok(decided > 0);
  });

  it('are decided identically when their reports are replayed in event order', async () => {
    const { decided, leftOut, differences } = await replayReports(service.database);
    assert.deepEqual(differences, []);
    assert.ok(decided > 0);
    assert.equal(leftOut, 0);
  });
});

function wordsOf(text: string): string[] {
  return text.trim().split(/,\s+/);
}

type Stage = { readonly service: TestService; readonly lateness: Lateness };
type History = { readonly facts: readonly Fact[]; readonly found: readonly string[] };

/** A running history: its seed, its story so far, how to draw its next fact, and the errors that were found. */
type RunningHistory = {
  readonly seed: number;
  readonly story: Story;
  readonly nextFact: (step: number) => Fact;
  readonly steps: number;
  found: string[];
};

async function startHistory({ service, lateness }: Stage, seed: number): Promise<RunningHistory> {
  const dice = diceOf(seed);
  const isLate = seed % LATE_EVERY === 0;
  const story = await openStory(service, `seed ${seed}`, isLate ? lateness : undefined);
  const isLoyal = seed % LOYAL_EVERY === 0;
  const beginning = isLoyal ? loyalBeginning(dice) : randomBeginning(dice);
  const steps = beginning.length + 20 + dice.roll(21);
  const nextFact = (step: number) =>
    beginning[step] ?? (isLoyal ? loyalFact(dice, story.world) : drawnFact(dice, story, isLate && step < steps / 2));
  return { seed, story, nextFact, steps, found: [] };
}

/**
 * Runs histories in parallel, step by step, until each ends or fails, or until a time limit is reached. After each
 * step, every database invariant is checked once for all histories. A check for each history would take 40 ms of a 45
 * ms step.
 */
async function runHistories(stage: Stage, seeds: readonly number[]): Promise<RunningHistory[]> {
  const running: RunningHistory[] = [];
  await forEachConcurrently(seeds, async (seed) => {
    running.push(await startHistory(stage, seed));
  });
  running.sort((a, b) => a.seed - b.seed);
  const unfinished = (step: number) => running.filter(({ found, steps }) => found.length === 0 && step < steps);
  let step = 0;
  for (; unfinished(step).length > 0 && performance.now() < RUNNING_MS; step += 1) {
    await forEachConcurrently(unfinished(step), async (one) => {
      one.found = await take(stage.service, one.story, one.nextFact(step), false);
      if (one.found.length > 0 || step + 1 < one.steps) return;
      countCases(one.story.world);
      one.found = await finish(one.story);
    });
    await verifyAll(stage.service, running);
  }
  await forEachConcurrently(unfinished(step), async (one) => {
    if (performance.now() < ENDING_MS) one.found = await finish(one.story);
  });
  return running;
}

async function forEachConcurrently<One>(all: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  const queue = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of queue) await work(one);
    }),
  );
}

/** Checks every invariant. Adds each breach to the history of the organization that the breach's detail names. */
async function verifyAll(service: TestService, running: readonly RunningHistory[]): Promise<void> {
  const { breaches } = await verify(service.database);
  for (const { invariant, detail } of breaches) {
    const broken = running.filter(({ story }) => detail.startsWith(`organization ${story.merchant.organizationId}:`));
    assert.ok(broken.length > 0, `${invariant}: ${detail}`);
    for (const one of broken) one.found.push(`+ breach: ${invariant}: ${detail}`);
  }
}

/** The number of occurrences of each case in complete histories. */
const seen = new Map<string, number>();
/** The number of histories in which all steps were reported. */
let completed = 0;

function countCases({
  transactions,
  conversions,
  obligations,
  payouts,
  runs,
  opportunities,
  engagements,
}: World): void {
  const words = [
    ...[...new Set(transactions.values())].flatMap(
      ({ kind, status, refunds, corrections, explained: { reason, outcomes } }) => [
        reason ?? kind,
        ...(corrections.size === 0 ? [] : ['corrected', ...(refunds.length > 0 ? ['corrected with refunds'] : [])]),
        refunds.length > 0 && status === 'complete' ? 'refunded in part' : status,
        ...outcomes.map((one) => (one.outcome === 'won' && one.reason ? 'cut by a cap' : (one.reason ?? one.outcome))),
      ],
    ),
    ...conversions.flatMap((one) => [
      `${one.type} ${one.status}`,
      ...(one.corrected > one.awarded ? ['raised'] : one.corrected < one.awarded ? ['lowered'] : []),
      ...one.holds,
      ...(one.holds.length === 0 ? [] : [isHeld(one) ? 'held' : one.isCleared ? 'cleared' : 'ended while held']),
    ]),
    ...obligations.map(({ isClawBack, status }) => `${isClawBack ? 'claw-back' : 'obligation'} ${status}`),
    ...payouts.flatMap(({ status, flags }) => [status, ...flags.map(({ resolution }) => `flag ${resolution}`)]),
    ...[...runs.values()].map(({ status }) => `run ${status}`),
    ...opportunities.flatMap(({ mergedInto, end }) => [
      ...(mergedInto === null ? [] : ['merge']),
      ...(end === null ? [] : [`visitor ${end}`]),
    ]),
    ...engagements.filter(({ isAbsorbed }) => isAbsorbed).map(() => 'united claims'),
  ];
  completed += 1;
  for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1);
}

/** Draws a fact. If `isPatient`, most facts can be reported before earlier facts are decided. */
function drawnFact(dice: Dice, { world, facts }: Story, isPatient: boolean): Fact {
  for (;;) {
    const fact = randomFact(dice, world, facts);
    if (!isPatient || isHasty(fact) || dice.chance(0.1)) return fact;
  }
}

let repetitions = 0;

/**
 * Replays the facts of a history, except facts that are no longer possible. Returns the replayed facts up to the first
 * error, and the errors found.
 */
async function repeatHistory(
  { service, lateness }: Stage,
  facts: readonly Fact[],
  isLate: boolean,
  isEach: boolean,
): Promise<History> {
  const story = await openStory(service, `repetition ${(repetitions += 1)}`, isLate ? lateness : undefined);
  for (const fact of facts) {
    if (!isPossible(story.world, fact)) continue;
    const found = await take(service, story, fact, isEach);
    if (found.length > 0) return { facts: story.facts, found };
    if (!isEach || isLate) continue;
    const differences = await finish(story);
    if (differences.length > 0) return { facts: story.facts, found: differences };
  }
  return { facts: story.facts, found: await finish(story) };
}

async function take(service: TestService, story: Story, fact: Fact, isVerified: boolean): Promise<string[]> {
  try {
    const found = await reportToBoth(story, fact);
    if (found.length > 0) return found;
    if (!isVerified) return [];
    const { breaches } = await verify(service.database, story.merchant.organizationId as OrganizationId);
    return breaches.map(({ invariant, detail }) => `+ breach: ${invariant}: ${detail}`);
  } catch (error) {
    return [`+ ${String(error)}`];
  }
}

async function finish(story: Story): Promise<string[]> {
  try {
    await settled(story);
    return await compare(story, 'all');
  } catch (error) {
    return [`+ ${String(error)}`];
  }
}

/**
 * Returns the text of a failure with a shortened history. Steps after the failure are removed. As time allows, unneeded
 * steps are also removed. A failure that does not occur again keeps its full history.
 */
async function failureText(stage: Stage, seed: number, history: History): Promise<string> {
  const deadline = Math.min(performance.now() + 20_000, SHORTENING_MS);
  const isLate = seed % LATE_EVERY === 0;
  if (performance.now() > deadline) return `seed ${seed}:\n${historyText(history)}`;
  let shortest = await repeatHistory(stage, history.facts, isLate, true);
  if (shortest.found.length === 0) return `seed ${seed}, not reproduced in a second attempt:\n${historyText(history)}`;
  for (let index = shortest.facts.length - 2; index >= 0 && performance.now() < deadline; index -= 1) {
    const shorter = await repeatHistory(
      stage,
      shortest.facts.filter((_, at) => at !== index),
      isLate,
      false,
    );
    if (shorter.found.length > 0) shortest = shorter;
    index = Math.min(index, shortest.facts.length - 1);
  }
  return `seed ${seed}:\n${historyText(shortest)}`;
}

function historyText({ facts, found }: History): string {
  return [...facts.map(factText), ...found].join('\n');
}
