import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Whence } from '@whence/sdk';
import { openDatabase } from '#platform/postgres/database.ts';
import type { OrganizationId } from '#core/ids.ts';
import { type Client, openClient, pauseAfter, type Send, Tally } from '#tools/traffic/client.ts';
import { compareOrders, type Stored } from '#tools/traffic/compare.ts';
import type { Complaint } from '#tools/traffic/complaint.ts';
import { type Dice, diceOf } from '#tools/traffic/random.ts';
import { openShop } from '#tools/traffic/shop.ts';
import { Shopper } from '#tools/traffic/shopper.ts';
import { type Habits, storyOf } from '#tools/traffic/story.ts';
import { verify } from '#verify/verify.ts';
import { Crowd, momentsOf, type Pace } from './schedule.ts';

export type SimulationOptions = Pace & {
  readonly url: string;
  /**
   * A secret key with scopes to report and to read. If the simulation creates collaborators, the key also needs the
   * write scope.
   */
  readonly key: string;
  /** The publishable key. Visits without a user id are reported with it, as from a page. */
  readonly publishableKey?: string | undefined;
  readonly headerPrefix?: string | undefined;
  /**
   * The source of all orders. It is also part of the names of created resources, so each simulation needs a different
   * name.
   */
  readonly name: string;
  /** The number of collaborators to create. Ignored if there are `links`. */
  readonly referrers: number;
  /** Aliases of existing collaborators for the visits, such as `tracking:ada`. */
  readonly links?: readonly string[] | undefined;
  /** The maximum number of concurrent reports. */
  readonly callers: number;
  /**
   * How long the simulation waits for responses after its scheduled end, in seconds. Afterwards, it waits as long for
   * decisions.
   */
  readonly patience: number;
  /** The service's database, to verify the books of the organization. */
  readonly databaseUrl?: string | undefined;
};

/** The amounts of the simulated orders in one currency, in hundredths, as the service's figures show them. */
export type Amounts = {
  readonly currency: string;
  readonly revenue: number;
  readonly refunded: number;
  readonly earned: number;
};

export type Result = {
  readonly options: SimulationOptions;
  /** How long reports were sent, in seconds. */
  readonly took: number;
  /** The number of reports that became due before the traffic ended. */
  readonly due: number;
  /** The number of sent reports. Repeated attempts of a report count once. */
  readonly sent: number;
  readonly tally: Tally;
  readonly shoppers: number;
  /** The number of reports that were never answered. */
  readonly unanswered: number;
  /** The number of events that are still undecided. */
  readonly waiting: number;
  readonly orders: number;
  readonly amounts: readonly Amounts[];
  /** The number of verified invariants. Undefined without access to the database. */
  readonly verified: number | undefined;
  readonly complaints: readonly Complaint[];
  /** Whether every report was answered correctly, every event was decided, and the books agree with the reports. */
  readonly holds: boolean;
};

export type Progress = { readonly seconds: number; readonly sent: number; readonly due: number; readonly tally: Tally };

type Checked = Pick<Result, 'waiting' | 'orders' | 'amounts' | 'verified' | 'complaints'>;

const ATTEMPT_MS = 10_000;
const LOOK_AGAIN_MS = 250;
const LEAST_PATIENCE_SECONDS = 2;
/** Lists from a replica are at most ten seconds old. The other two seconds are a margin. */
const OLDEST_LIST_SECONDS = 12;
const SENT_TWICE = 0.07;
const HABITS = {
  returning: 0.5,
  buyingAgain: 0.3,
  refunded: 0.15,
  partlyRefunded: 0.15,
  withoutLines: 0.15,
  repeated: 0.07,
  contradicted: 0,
};
const BUYERS = 0.12;
const NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Tony', 'Radia', 'Ken'];
/** The range of simulated user ids, far above the ids of real users. */
const USERS = { first: 4_000_000_000_000_000, count: 4_000_000_000_000_000 };

/**
 * Sends the traffic of a shop to a service, waits until everything is decided, and compares the service's orders and
 * figures with the sent reports. Simulations with the same seed, rate, length and number of referrers send the same
 * reports in the same order. `stop` ends the simulation early.
 */
export async function simulate(
  options: SimulationOptions,
  watch: (progress: Progress) => void = () => {},
  stop?: AbortSignal,
): Promise<Result> {
  const { url: baseUrl, key: apiKey, headerPrefix, seed, callers } = options;
  const tally = new Tally();
  const client = openClient({
    ...options,
    urls: () => [baseUrl.replace(/\/$/, '')],
    connections: callers,
    timeoutMs: ATTEMPT_MS,
    givesUpAfterMs: Math.max(LEAST_PATIENCE_SECONDS, options.patience) * 1_000,
    tally,
    dice: diceOf(seed, -1),
  });
  const whence = new Whence({
    baseUrl,
    apiKey,
    headerPrefix,
    timeoutMs: ATTEMPT_MS,
    maxRetries: Number.MAX_SAFE_INTEGER,
  });
  try {
    const links = await prepare(whence, client, options);
    const complaints: Complaint[] = [];
    const started = performance.now();
    const { buyers, ...traffic } = await sendTraffic({
      options,
      links,
      tally,
      watch,
      stop,
      complaints,
      send: client.send,
    });
    const took = (performance.now() - started) / 1_000;
    const checked = await checkAgain(whence, options, buyers, complaints);
    const holds = checked.waiting === 0 && traffic.unanswered === 0 && checked.complaints.length === 0;
    return { options, took, tally, ...traffic, ...checked, holds };
  } finally {
    client.close();
  }
}

/** Returns the habits of the shoppers. The first collaborators refer the most visits, as in real programs. */
export function habitsOf(name: string, links: readonly string[]): Habits {
  const begin = Number(BigInt(`0x${hash('sha256', name).slice(0, 16)}`) % BigInt(USERS.count));
  return {
    ...HABITS,
    referrer: (dice) => ({
      link: links[Math.floor(links.length * dice.share() ** 2)] as string,
      currency: 'USD',
      buyers: BUYERS,
    }),
    source: () => name,
    firstUser: USERS.first + begin,
  };
}

/**
 * Creates programs and collaborators, unless the simulation uses existing `links`. Returns the aliases for the visits.
 * A first call without retries reports a wrong URL, a wrong key or a used name immediately.
 */
async function prepare(
  whence: Whence,
  client: Client,
  { name, links, referrers }: SimulationOptions,
): Promise<readonly string[]> {
  const used = await whence.transactions.list({ source: name, perPage: 1 }, { maxRetries: 0 });
  if (used.data.length > 0) throw new Error(`A run named ${name} has already created orders. Choose another name.`);
  if (links !== undefined) return links;
  const description = 'Made by `npm run simulate`. None of its visits and orders are real.';
  const program = (percent: number, attribution: 'last-touch' | 'linear', autoApprove: boolean) => ({
    name: `Simulation ${name}: ${percent}%, ${attribution}`,
    description,
    reward: { type: 'percent', percent },
    attribution,
    autoApprove,
    // The programs pay only the enrolled collaborators, so no other balance changes.
    enrollment: 'selected' as const,
  });
  const collaborators = Array.from({ length: referrers }, (_, n) => ({
    name: `Simulated ${NAMES[n] ?? n + 1} (${name})`,
    code: `${name}-${n + 1}`,
  }));
  await openShop(client, { programs: [program(10, 'last-touch', true), program(4.5, 'linear', false)], collaborators });
  return collaborators.map(({ code }) => `tracking:${code}`);
}

type Run = {
  readonly options: SimulationOptions;
  readonly links: readonly string[];
  readonly tally: Tally;
  readonly watch: (progress: Progress) => void;
  readonly stop: AbortSignal | undefined;
  readonly complaints: Complaint[];
  readonly send: Send;
};

/** `buyers` are the shoppers with an order. Others are dropped once their story is over, to bound the memory. */
type Traffic = Pick<Result, 'due' | 'sent' | 'shoppers' | 'unanswered'> & { readonly buyers: readonly Shopper[] };

/** Lets a shopper act at each moment of the schedule, and waits for the last responses. */
async function sendTraffic({ options, links, tally, watch, stop, complaints, send }: Run): Promise<Traffic> {
  const { seed, seconds, callers, patience, name } = options;
  const habits = habitsOf(name, links);
  // If the service is slower than the rate, half of the option `patience` is for sending the remaining reports, and half
  // for their responses.
  const latest = (seconds + patience / 2) * 1_000;
  let end = (seconds + patience) * 1_000;
  const crowd = new Crowd<Actor>();
  const buyers: Shopper[] = [];
  const underWay = new Set<Promise<void>>();
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  stop?.addEventListener('abort', () => (end = Math.min(end, elapsed() + patience * 1_000)), { once: true });
  let [due, sent, shoppers, unanswered] = [0, 0, 0, 0];
  let leave = (): void => {};
  const ticker = setInterval(() => watch({ seconds: elapsed() / 1_000, sent, due, tally }), 1_000);
  try {
    for (const moment of momentsOf(options)) {
      const wait = moment - elapsed();
      if (wait > 0) await setTimeout(wait, undefined, { signal: stop }).catch(() => {});
      // Promise.race over all reports would leak memory, because an unanswered report keeps a reference to each race.
      while (underWay.size >= callers) await new Promise<void>((resolve) => (leave = resolve));
      if (elapsed() > latest || stop?.aborted === true) break;
      due += 1;
      takeTurn();
    }
    await Promise.all(underWay);
  } finally {
    clearInterval(ticker);
  }
  return { due, sent, shoppers, buyers, unanswered };

  function takeTurn(): void {
    const actor = crowd.next() ?? arrive();
    const { pauses, last } = actor;
    const task = last
      .then(() => act(actor))
      .finally(() => {
        underWay.delete(task);
        leave();
      });
    actor.last = task;
    underWay.add(task);
    const pause = pauses.shift();
    if (pause !== undefined) crowd.rest(actor, pause);
  }

  async function act({ shopper, dice }: Actor): Promise<void> {
    if (shopper.isOver || shopper.isOpen) return;
    sent += 1;
    while (!(await shopper.take(send)) && elapsed() < end) await pauseAfter({ kind: 'unsent' }, dice);
    if (shopper.isOpen) unanswered += 1;
  }

  function arrive(): Actor {
    const number = shoppers++;
    const dice = diceOf(seed, number);
    const steps = storyOf(dice, habits, number);
    const complain = (kind: Complaint['kind'], words: string): void => void complaints.push({ kind, words });
    const shopper = new Shopper({ steps, name: `${name}-${number}`, sentTwice: SENT_TWICE, dice, complain });
    if (steps.some(({ deed }) => deed.kind === 'sale')) buyers.push(shopper);
    const pauses = steps.slice(1).map(({ at }, n) => at - (steps[n]?.at ?? 0));
    return { shopper, dice, pauses, last: Promise.resolve() };
  }
}

/** A shopper with the pauses before their next steps. `last` settles when all their reports so far have ended. */
type Actor = { readonly shopper: Shopper; readonly dice: Dice; readonly pauses: number[]; last: Promise<void> };

/**
 * Waits for the decisions, and then checks the orders and figures. Repeats the checks before it reports a fault,
 * because lists of a replica may be some seconds old.
 */
async function checkAgain(
  whence: Whence,
  options: SimulationOptions,
  buyers: readonly Shopper[],
  refusals: readonly Complaint[],
): Promise<Checked> {
  const deadline = performance.now() + Math.min(options.patience, OLDEST_LIST_SECONDS) * 1_000;
  try {
    const waiting = await waitForDecisions(whence, options);
    for (;;) {
      const checked = await check(whence, options, buyers);
      const complaints = [...refusals, ...checked.complaints];
      if (checked.complaints.length === 0 || performance.now() > deadline) return { waiting, ...checked, complaints };
      await setTimeout(LOOK_AGAIN_MS);
    }
  } catch (error) {
    if (!(error instanceof Silence)) throw error;
    const silence: Complaint = { kind: 'failed', words: `${error.message} The outcome of the reports is unknown.` };
    return { waiting: 0, orders: 0, amounts: [], verified: undefined, complaints: [...refusals, silence] };
  }
}

/**
 * Returns the number of undecided events, once none is pending or after `patience` seconds. Includes dead-lettered
 * events.
 */
async function waitForDecisions(whence: Whence, { name: source, patience }: SimulationOptions): Promise<number> {
  const deadline = performance.now() + patience * 1_000;
  const count = async (state: 'pending' | 'parked'): Promise<number> =>
    heard(
      patience,
      async (signal) => (await whence.events.list({ source, state, perPage: 1 }, { signal })).estimatedCount,
    );
  for (;;) {
    const [waiting, parked] = [await count('pending'), await count('parked')];
    if (waiting === 0 || performance.now() > deadline) return waiting + parked;
    await setTimeout(LOOK_AGAIN_MS);
  }
}

/**
 * Compares each order and the sums of all orders with the sent reports. Verifies the books if there is database access.
 */
async function check(
  whence: Whence,
  { name: source, patience, databaseUrl }: SimulationOptions,
  buyers: readonly Shopper[],
): Promise<Omit<Checked, 'waiting'>> {
  const complaints: Complaint[] = [];
  const complain = (kind: Complaint['kind'], words: string): void => void complaints.push({ kind, words });
  const stored: Stored[] = [];
  let after: string | undefined;
  do {
    const page = await heard(patience, async (signal) =>
      whence.transactions.list({ source, perPage: 100, ...(after === undefined ? {} : { after }) }, { signal }).page(),
    );
    stored.push(
      ...page.data.map(({ externalId, total, refundedAmount }) => ({ externalId, total, refunded: refundedAmount })),
    );
    after = page.after;
  } while (after !== undefined);
  compareOrders(buyers, stored, complain);

  const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const { rows } = await heard(patience, async (signal) =>
    whence.figures.get({ from: day(8), until: day(-1), by: 'total', source }, { signal }),
  );
  const figures = rows[0];
  const amounts = (figures?.amounts ?? []) as readonly Amounts[];
  const sum = (of: 'total' | 'refunded'): number => stored.reduce((all, order) => all + order[of], 0);
  const shown = [figures?.sales ?? 0, total(amounts, 'revenue'), total(amounts, 'refunded')];
  const wanted = [stored.length, sum('total'), sum('refunded')];
  if (shown.join() !== wanted.join())
    complain(
      'wrong',
      `The figures show (sales, revenue, refunded) ${shown.join()}, but the orders add up to ${wanted.join()}.`,
    );
  const verified = databaseUrl === undefined ? undefined : await verifyBooks(whence, databaseUrl, complain);
  return { orders: stored.length, amounts, verified, complaints };
}

async function verifyBooks(
  whence: Whence,
  databaseUrl: string,
  complain: (kind: Complaint['kind'], words: string) => void,
): Promise<number> {
  const { id } = await whence.organization.get();
  const database = openDatabase(databaseUrl, { connections: 1 });
  try {
    const { checked, breaches } = await verify(database, id as OrganizationId);
    for (const { invariant, detail } of breaches) complain('wrong', `verify: ${invariant}: ${detail}`);
    return checked;
  } finally {
    await database.end();
  }
}

function total(amounts: readonly Amounts[], of: 'revenue' | 'refunded'): number {
  return amounts.reduce((sum, each) => sum + each[of], 0);
}

/** The error for a service that doesn't respond within `patience`. */
class Silence extends Error {}

/**
 * Runs a call of the SDK, which retries until it is answered. Throws Silence after `patience` seconds, or after 2
 * seconds if `patience` is less.
 */
async function heard<Answer>(patience: number, call: (signal: AbortSignal) => PromiseLike<Answer>): Promise<Answer> {
  const seconds = Math.max(LEAST_PATIENCE_SECONDS, patience);
  const signal = AbortSignal.timeout(seconds * 1_000);
  try {
    return await call(signal);
  } catch (error) {
    throw signal.aborted ? new Silence(`The service has not responded for ${seconds} s.`) : error;
  }
}
