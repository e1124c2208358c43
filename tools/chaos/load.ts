import { setTimeout as delay } from 'node:timers/promises';
import { type Answered, type Caller, newTally, openCaller, type Report, type Tally } from './caller.ts';
import type { Complain } from './complaint.ts';
import { type Done, workAsMerchant } from './merchant.ts';
import { OrderStory } from './order-story.ts';
import { openShop, type Shop } from './shop.ts';
import type { System } from './system.ts';
import { type Dice, diceOf } from '#test/support/random.ts';

/** Shoppers and a merchant who call the service over HTTP, with all responses they got. */
export type Load = {
  readonly shop: Shop;
  readonly tally: Tally;
  readonly stories: readonly OrderStory[];
  readonly done: Done;
  /** Waits until `more` additional reports are acknowledged. */
  readonly acknowledged: (more: number) => Promise<void>;
  /** Sends an additional call for a fault, repeated until it is answered. */
  readonly insist: (report: Report) => Promise<Answered>;
  /** Reports one more order up to its sale with the given sender, repeated until the sale is acknowledged. */
  readonly order: (send: (caller: Caller) => Caller['send']) => Promise<OrderStory>;
  /** Stops the load. Each caller finishes its current request. */
  readonly stop: () => Promise<void>;
  /** Repeats every unanswered report until it is answered. Returns how many there were. */
  readonly settle: () => Promise<number>;
};

const SHOPPERS = 10;
/** The longest pause between two steps of a shopper, in milliseconds. */
const LONGEST_PAUSE_MS = 16;
/** The longest pause before an unanswered request is repeated, in milliseconds, as in the SDK. */
const LONGEST_PATIENCE_MS = 150;
/**
 * The share of unanswered reports that are repeated soon, possibly while the first attempt still runs. The others wait
 * for the end.
 */
const AT_ONCE = 0.5;
const LOOK_EVERY_MS = 5;
const LIMIT_MS = 60_000;
/** Callers give up later than any fault lasts. The longest fault takes a minute. */
const GIVES_UP_AFTER_MS = 2 * LIMIT_MS;

export async function startLoad(system: System, seed: number, complain: Complain): Promise<Load> {
  const tally = newTally();
  const shop = await openShop(system);
  const dice = diceOf(seed);
  const stories: OrderStory[] = [];
  const done: Done = { approved: new Set(), runs: new Map() };
  const callers: Caller[] = [];
  let stopping = false;
  const work = [...Array.from({ length: SHOPPERS }, (_, n) => shopper(seed + 1 + n)), merchant(seed + SHOPPERS + 1)];
  // Complain immediately. Otherwise nobody would see the error until the promises are awaited.
  const working = work.map((each) => each.catch((error: Error) => complain('failed', error.message)));
  const own = open(seed + SHOPPERS + 2);
  return {
    shop,
    tally,
    stories,
    done,
    acknowledged: (more) => {
      const wanted = tally.acknowledged + more;
      return until(() => tally.acknowledged >= wanted, `${more} more reports are acknowledged`);
    },
    insist: (report) => insist(own, dice, report),
    order: async (send) => {
      const story = newStory(dice);
      while (!story.isSold) {
        if ((await story.take(send(own), dice)) === 'unknown') await patience(dice);
      }
      return story;
    },
    stop: async () => {
      stopping = true;
      await Promise.all(working);
    },
    settle: async () => {
      const open = stories.filter((story) => story.isOpen);
      await Promise.all(
        open.map(async (story) => {
          const deadline = performance.now() + LIMIT_MS;
          while (story.isOpen) {
            if ((await story.take(own.send, dice)) === 'unknown') await patience(dice);
            if (performance.now() > deadline) throw new Error(`order ${story.externalId} is never answered`);
          }
        }),
      );
      for (const caller of callers) caller.close();
      return open.length;
    },
  };

  function open(seed: number): Caller {
    const caller = openCaller(system.apis, shop.key, diceOf(seed), tally);
    callers.push(caller);
    return caller;
  }

  function newStory(dice: Dice): OrderStory {
    const story = new OrderStory(`order-${stories.length + 1}`, dice.pick(shop.collaborators), dice, complain);
    stories.push(story);
    return story;
  }

  async function shopper(seed: number): Promise<void> {
    const dice = diceOf(seed);
    const caller = open(seed);
    while (!stopping) {
      const story = newStory(dice);
      while (!stopping && !story.isOver) {
        if ((await story.take(caller.send, dice)) === 'unknown') {
          await patience(dice);
          if (!dice.chance(AT_ONCE)) break;
        }
        await delay(dice.roll(LONGEST_PAUSE_MS));
      }
    }
  }

  async function merchant(seed: number): Promise<void> {
    const dice = diceOf(seed);
    const caller = open(seed);
    while (!stopping) {
      await workAsMerchant((report) => insist(caller, dice, report), shop.reviewedProgramId, dice, done, complain);
      await delay(dice.roll(LONGEST_PATIENCE_MS));
    }
  }
}

async function insist(caller: Caller, dice: Dice, report: Report): Promise<Answered> {
  const deadline = performance.now() + GIVES_UP_AFTER_MS;
  for (;;) {
    const answer = await caller.send(report);
    if (answer.kind === 'answered') return answer;
    if (performance.now() > deadline) throw new Error(`${report.path} is never answered`);
    await patience(dice);
  }
}

async function patience(dice: Dice): Promise<void> {
  await delay(1 + dice.roll(LONGEST_PATIENCE_MS));
}

/** Waits until `holds` returns true. Throws after `limitMs` milliseconds. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  limitMs: number = LIMIT_MS,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > deadline)
      throw new Error(`It has not come about within ${limitMs / 1_000} s that ${what}.`);
    await delay(LOOK_EVERY_MS);
  }
}
