import { setTimeout as delay } from 'node:timers/promises';
import { foundOrganization } from '#access/commands/found-organization.ts';
import type { OrganizationId } from '#core/ids.ts';
import { type Answered, type Client, openClient, pauseAfter, type Report, Tally } from '#tools/traffic/client.ts';
import type { Complain } from '#tools/traffic/complaint.ts';
import { diceOf } from '#tools/traffic/random.ts';
import { openShop } from '#tools/traffic/shop.ts';
import { Shopper } from '#tools/traffic/shopper.ts';
import { type Habits, storyOf } from '#tools/traffic/story.ts';
import { waitUntil } from '#tools/traffic/until.ts';
import type { Member } from './member.ts';
import { type Done, workAsMerchant } from './merchant.ts';
import type { System } from './system.ts';

/** The organization of one iteration. */
export type Shop = {
  readonly organizationId: OrganizationId;
  readonly key: string;
  readonly programIds: readonly number[];
};

/** Shoppers and a merchant who call the service over HTTP, with the outcomes of their calls. */
export type Load = {
  readonly shop: Shop;
  readonly tally: Tally;
  readonly shoppers: readonly Shopper[];
  readonly done: Done;
  /** Waits until `more` additional reports are acknowledged. */
  readonly acknowledged: (more: number) => Promise<void>;
  /** Sends an additional call for a fault, and repeats it until it is answered. */
  readonly insist: (report: Report) => Promise<Answered>;
  /** Reports one more sale to a process until the report is acknowledged. Returns the external id of the sale. */
  readonly sellThrough: (member: Member) => Promise<string>;
  /** Stops the load. Each caller finishes its current request. */
  readonly stop: () => Promise<void>;
  /**
   * Repeats every unanswered report until it is answered, and closes all connections. Throws an error if a report is
   * not answered within a minute.
   */
  readonly settle: () => Promise<void>;
};

const SHOPPERS = 10;
/** The longest pause between two steps of a shopper, in milliseconds. */
const LONGEST_PAUSE_MS = 16;
/** The longest pause between two actions of the merchant, in milliseconds. */
const LONGEST_REST_MS = 150;
/**
 * The share of unanswered reports that are repeated soon, possibly while the first attempt still runs. The other
 * reports are repeated at the end.
 */
const AT_ONCE = 0.5;
const SENT_TWICE = 0.15;
const LIMIT_MS = 60_000;
const CODES = ['ada', 'grace', 'edsger'];
const HABITS: Habits = {
  referrer: (dice) => ({ link: `tracking:${dice.pick(CODES)}`, currency: 'USD', buyers: 1 }),
  returning: 0.2,
  buyingAgain: 0.1,
  refunded: 0.25,
  partlyRefunded: 0.3,
  withoutLines: 0.5,
  repeated: 0.05,
  contradicted: 0.1,
  source: () => 'shop',
  firstUser: 1,
};

/** Creates an organization with three collaborators and two programs, one of which approves automatically. */
export async function openOwnShop({ apis, database }: System): Promise<Shop> {
  const { organizationId, newKeys } = await foundOrganization(database, 'Shop');
  const key = newKeys.secret as string;
  const client = openClient({
    urls: () => apis.map(({ url }) => url()),
    key,
    tally: new Tally(),
    dice: diceOf(organizationId),
  });
  const program = (name: string, percent: number, autoApprove: boolean): object => ({
    name,
    reward: { type: 'percent', percent },
    autoApprove,
  });
  const programIds = await openShop(client, {
    programs: [program('Approved', 5, true), program('Reviewed', 10, false)],
    collaborators: CODES.map((code) => ({ name: code, code })),
  });
  client.close();
  return { organizationId, key, programIds };
}

export async function startLoad(system: System, seed: number, complain: Complain): Promise<Load> {
  const tally = new Tally();
  const shop = await openOwnShop(system);
  const dice = diceOf(seed);
  const shoppers: Shopper[] = [];
  const done: Done = { approved: new Set(), runs: new Map() };
  const clients: Client[] = [];
  let stopping = false;
  const work = [
    ...Array.from({ length: SHOPPERS }, (_, n) => goShopping(seed + 1 + n)),
    runMerchant(seed + SHOPPERS + 1),
  ];
  // Report the error immediately. Otherwise it would stay hidden until the promises are awaited.
  const working = work.map((each) => each.catch((error: Error) => complain('failed', error.message)));
  const own = open(seed + SHOPPERS + 2);
  return {
    shop,
    tally,
    shoppers,
    done,
    acknowledged: (more) => {
      const wanted = tally.acknowledged + more;
      return waitUntil(() => tally.acknowledged >= wanted, `${more} more reports are acknowledged`);
    },
    insist: own.insist,
    sellThrough: async (member) => {
      // Use a shopper with as few steps as possible, because the time until the sale is measured.
      const shopper = newShopper({ ...HABITS, returning: 0 });
      while (shopper.expected().every(({ sold }) => sold !== 'yes')) {
        const isKnown = await shopper.take((report) => own.sendTo(member.url(), report));
        if (shopper.hasLeft) throw new Error('A sale was refused.');
        if (!isKnown) await pauseAfter({ kind: 'unsent' }, dice);
      }
      return shopper.expected()[0]!.order.externalId;
    },
    stop: async () => {
      stopping = true;
      await Promise.all(working);
    },
    settle: async () => {
      await Promise.all(
        shoppers.map(async (shopper) => {
          const deadline = performance.now() + LIMIT_MS;
          while (shopper.isOpen) {
            if (!(await shopper.take(own.send))) await pauseAfter({ kind: 'unsent' }, dice);
            if (performance.now() > deadline)
              throw new Error(`A report was not answered within ${LIMIT_MS / 1_000} s.`);
          }
        }),
      );
      for (const client of clients) client.close();
    },
  };

  function open(seed: number): Client {
    const urls = (): string[] => system.apis.map(({ url }) => url());
    const client = openClient({ urls, key: shop.key, tally, dice: diceOf(seed) });
    clients.push(client);
    return client;
  }

  function newShopper(habits = HABITS): Shopper {
    const number = shoppers.length + 1;
    const dice = diceOf(seed, number);
    const steps = storyOf(dice, habits, number);
    const shopper = new Shopper({ steps, name: `shopper-${number}`, sentTwice: SENT_TWICE, dice, complain });
    shoppers.push(shopper);
    return shopper;
  }

  async function goShopping(seed: number): Promise<void> {
    const dice = diceOf(seed);
    const { send } = open(seed);
    while (!stopping) {
      const shopper = newShopper();
      while (!stopping && !shopper.isOver) {
        if (!(await shopper.take(send))) {
          await pauseAfter({ kind: 'unsent' }, dice);
          if (!dice.chance(AT_ONCE)) break;
        }
        await delay(dice.roll(LONGEST_PAUSE_MS));
      }
    }
  }

  async function runMerchant(seed: number): Promise<void> {
    const dice = diceOf(seed);
    const { insist } = open(seed);
    while (!stopping) {
      await workAsMerchant(insist, shop.programIds[1]!, dice, done, complain);
      await delay(dice.roll(LONGEST_REST_MS));
    }
  }
}
