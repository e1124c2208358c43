import { setTimeout } from 'node:timers/promises';
import { Whence, type WhenceOptions } from '@whence/sdk';
import { type Audit, Books } from './books.ts';
import { Crowd } from './crowd.ts';
import { diceOf } from './dice.ts';
import { limitOf, Silence, whileHeard } from './patience.ts';
import { type Reporter, reporterOf } from './reporter.ts';
import { momentsOf, type Pace } from './schedule.ts';
import { inTurn, newShopper, note, place, type Shopper } from './shopper.ts';
import { type Deed, storyOf } from './story.ts';
import { Tally } from './tally.ts';
import { makeWorld, type World } from './world.ts';

export type SimulationOptions = Pace & {
  readonly url: string;
  /** A secret key that may report and read and, if the run creates its own collaborators, write. */
  readonly key: string;
  /** The key for visits that name no user, as pages report them. */
  readonly publishableKey?: string | undefined;
  readonly headerPrefix?: string | undefined;
  /** The source of the run's orders, and part of the names of what it creates. Each run needs its own name. */
  readonly name: string;
  /** The number of collaborators that are created for the run … */
  readonly referrers: number;
  /** … or the existing collaborators who get its visits, such as `tracking:ada`. */
  readonly links?: readonly string[] | undefined;
  /** The maximum number of concurrent reports. */
  readonly callers: number;
  /** How long the run waits for responses after its end, and then as long again for decisions, in seconds. */
  readonly patience: number;
};

export type Report = {
  readonly options: SimulationOptions;
  /** How long reports were sent, in seconds. */
  readonly took: number;
  /** The number of reports that were due, and of those that were sent. */
  readonly due: number;
  readonly sent: number;
  readonly tally: Tally;
  readonly shoppers: number;
  readonly orders: number;
  /** The number of reports that were never answered. */
  readonly unanswered: number;
  /** The number of events that are still undecided. */
  readonly waiting: number;
  readonly refusals: readonly string[];
  readonly audit: Audit;
  /** Whether everything was answered as it should be and the books agree. */
  readonly holds: boolean;
};

/** The progress of a run. */
export type Progress = { readonly seconds: number; readonly sent: number; readonly due: number; readonly tally: Tally };

/** In a shorter run, the pauses of shoppers are shorter, so that their stories finish. */
const UNHURRIED_SECONDS = 120;
const ATTEMPT_MS = 10_000;
const LOOK_AGAIN_MS = 250;
/** Lists from a replica are at most ten seconds old; two seconds are a margin. */
const OLDEST_LIST_SECONDS = 12;

/**
 * Sends the traffic of a shop to a service, waits until everything is decided, and compares the books with what was
 * sent. The same seed, rate, length and number of referrers send the same reports in the same order. `stop` ends it
 * early.
 */
export async function simulate(
  options: SimulationOptions,
  watch: (progress: Progress) => void = () => {},
  stop?: AbortSignal,
): Promise<Report> {
  const { name, seed, seconds, patience } = options;
  const tally = new Tally();
  const whence = clientOf(options, options.key, tally);
  const world = await whileHeard(tally, patience, (signal) => prepare(whence, options, signal));
  const reporter = reporterOf({
    whence,
    pages: options.publishableKey === undefined ? whence : clientOf(options, options.publishableKey, tally),
    name,
    links: world.links,
    signal: limitOf(seconds, patience, stop),
  });
  const books = new Books(diceOf(seed, -1));
  const started = performance.now();
  const traffic = await send({ options, world, reporter, books, tally, watch, stop });
  const took = (performance.now() - started) / 1_000;
  const { waiting, audit } = await whileHeard(tally, patience, async (signal) => ({
    waiting: await settled(whence, name, patience, signal),
    audit: await audited(() => books.audit(whence, world, name, signal), patience),
  })).catch(unheard);
  const { refusals } = reporter;
  const holds = waiting === 0 && traffic.unanswered === 0 && refusals.length === 0 && audit.faults.length === 0;
  return { options, took, tally, ...traffic, orders: books.orders, waiting, refusals, audit, holds };
}

type Run = {
  readonly options: SimulationOptions;
  readonly world: World;
  readonly reporter: Reporter;
  readonly books: Books;
  readonly tally: Tally;
  readonly watch: (progress: Progress) => void;
  readonly stop: AbortSignal | undefined;
};

type Traffic = Pick<Report, 'due' | 'sent' | 'shoppers' | 'unanswered'>;

/** Takes a turn for each moment of the schedule, and waits for the last responses. */
async function send({ options, world, reporter, books, tally, watch, stop }: Run): Promise<Traffic> {
  const { seed, rate, seconds, callers, patience } = options;
  // A service that is slower than the rate has half of the patience to catch up, and half to answer the last reports.
  const latest = (seconds + patience / 2) * 1_000;
  const turnsASecond = rate * Math.min(1, seconds / UNHURRIED_SECONDS);
  const crowd = new Crowd<Shopper>();
  const open = new Set<Shopper>();
  const underWay = new Set<Promise<void>>();
  const started = performance.now();
  let [due, sent, shoppers, unanswered] = [0, 0, 0, 0];
  let beside: Shopper | undefined;
  let leave = (): void => {};
  const elapsed = (): number => performance.now() - started;
  const ticker = setInterval(() => watch({ seconds: elapsed() / 1_000, sent, due, tally }), 1_000);
  try {
    for (const moment of momentsOf(options)) {
      const wait = moment - elapsed();
      if (wait > 0) await pause(wait, stop);
      // Don't use Promise.race over all reports: one that is never answered would keep memory of each race.
      while (underWay.size >= callers) await new Promise<void>((resolve) => (leave = resolve));
      if (elapsed() > latest || stop?.aborted === true) break;
      due += 1;
      takeTurn();
    }
    await Promise.all(underWay);
  } finally {
    clearInterval(ticker);
  }
  for (const shopper of open) books.close(shopper);
  return { due, sent, shoppers, unanswered };

  function takeTurn(): void {
    const shopper = beside ?? crowd.next() ?? arrive();
    const step = shopper.at;
    const { deed, isBeside } = shopper.steps[step]!;
    shopper.at += 1;
    shopper.underWay += 1;
    const task = inTurn(shopper, isBeside, async () => {
      await act(shopper, deed, step);
      shopper.underWay -= 1;
      underWay.delete(task);
      leave();
      if (shopper.underWay === 0 && shopper.at === shopper.steps.length) close(shopper);
    });
    underWay.add(task);
    const next = shopper.steps[shopper.at];
    beside = next?.isBeside === true ? shopper : undefined;
    if (next !== undefined && beside === undefined) crowd.rest(shopper, next.pause * turnsASecond);
  }

  async function act(shopper: Shopper, deed: Deed, step: number): Promise<void> {
    if (shopper.hasLeft) return;
    if (deed.kind === 'sale') place(shopper, deed.order);
    sent += 1;
    const outcome = await reporter.report(shopper, deed, step);
    if (outcome === 'unknown') unanswered += 1;
    note(shopper, deed, outcome);
  }

  function arrive(): Shopper {
    const shopper = newShopper(shoppers, storyOf(seed, shoppers, world.links.length));
    shoppers += 1;
    open.add(shopper);
    return shopper;
  }

  function close(shopper: Shopper): void {
    open.delete(shopper);
    books.close(shopper);
  }
}

/** Prepares the world of a run. A first call without retries reports a wrong URL or key immediately. */
async function prepare(
  whence: Whence,
  { name, links, referrers }: SimulationOptions,
  signal: AbortSignal,
): Promise<World> {
  const used = await whence.transactions.list({ source: name, perPage: 1 }, { maxRetries: 0, signal });
  if (used.data.length > 0)
    throw new Error(`There are orders of a run called ${name} already: give this one another name.`);
  return links === undefined ? makeWorld(whence, name, referrers, signal) : { links, made: undefined };
}

function clientOf({ url, headerPrefix }: SimulationOptions, apiKey: string, { fetch }: Tally): Whence {
  const options: WhenceOptions = { baseUrl: url, apiKey, headerPrefix, fetch, timeoutMs: ATTEMPT_MS };
  // No limit on retries, because the run's own patience ends a report.
  return new Whence({ ...options, maxRetries: Number.MAX_SAFE_INTEGER });
}

/** Returns the number of the run's undecided events, once none is pending or after `patience` seconds. */
async function settled(whence: Whence, source: string, patience: number, signal: AbortSignal): Promise<number> {
  const deadline = performance.now() + patience * 1_000;
  for (;;) {
    const [pending, parked] = await Promise.all(
      (['pending', 'parked'] as const).map((state) => whence.events.list({ source, state, perPage: 1 }, { signal })),
    );
    const [waiting, failed] = [pending?.estimatedCount ?? 0, parked?.estimatedCount ?? 0];
    if (waiting === 0 || performance.now() > deadline) return waiting + failed;
    await setTimeout(LOOK_AGAIN_MS);
  }
}

/** Returns the result for a service that no longer responds: its state is unknown. */
function unheard(error: unknown): Pick<Report, 'waiting' | 'audit'> {
  if (!(error instanceof Silence)) throw error;
  const fault = `${error.message} What became of the reports is unknown.`;
  return { waiting: 0, audit: { earned: [], faults: [fault], lookedAt: 0 } };
}

/** Repeats the audit before it reports a fault, because lists may come from a replica that is some seconds behind. */
async function audited(look: () => Promise<Audit>, patience: number): Promise<Audit> {
  const deadline = performance.now() + Math.min(patience, OLDEST_LIST_SECONDS) * 1_000;
  for (;;) {
    const audit = await look();
    if (audit.faults.length === 0 || performance.now() > deadline) return audit;
    await setTimeout(LOOK_AGAIN_MS);
  }
}

/** Waits, or returns early if the run is stopped. */
async function pause(milliseconds: number, stop: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, { signal: stop });
  } catch (error) {
    if (stop?.aborted !== true) throw error;
  }
}
