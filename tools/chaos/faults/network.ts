import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '#tools/traffic/random.ts';
import { waitUntil } from '#tools/traffic/until.ts';
import type { Fault } from '../fault.ts';
import type { Trouble } from '../line.ts';
import type { System } from '../system.ts';

/**
 * Half of the connections are cut after at most this number of bytes, which is during the login to PostgreSQL. The
 * other half are cut after at most MOST_BYTES, often in the middle of a response.
 */
const MOST_AT_LOGIN = 800;
const MOST_BYTES = 30_000;
const HALF_OUTAGE_MS = 30_000;
/**
 * Texts that occur in messages to PostgreSQL that write: the names of prepared statements, and the end of a
 * transaction.
 */
const WRITES = ['write-visits', 'write-sales', 'write-refunds', 'save-named-refunds', 'commit'];
const LOST = 12;

/** Faults of the network between the service and its database. */
export const faults: readonly Fault[] = [
  {
    name: 'network-late',
    what: 'Every packet between service and database is late by 20 to 400 ms',
    iterations: { short: 1, full: 12 },
    healsWithinMs: 3_000,
    run: (system, dice) => suffer(system, dice, { kind: 'late', ms: 20 + dice.roll(380) }, 4_000),
  },
  {
    name: 'network-reset',
    what: 'Connections to the database are reset, all at once or one after another, or no connection is accepted for 1 to 4 s',
    iterations: { short: 1, full: 12 },
    healsWithinMs: 3_000,
    run: async (system, dice) => {
      if (dice.chance(0.5)) return suffer(system, dice, { kind: 'closed' }, 4_000);
      for (let times = 1 + dice.roll(8); times > 0; times -= 1) {
        await system.line.trouble({ kind: 'reset' });
        await delay(dice.roll(100));
        await system.line.mend();
        await delay(dice.roll(400));
      }
    },
  },
  {
    name: 'network-short',
    what: 'Each connection to the database is cut after a random number of response bytes',
    iterations: { short: 1, full: 12 },
    healsWithinMs: 3_000,
    run: (system, dice) => {
      const bytes = (): number => 1 + dice.roll(dice.chance(0.5) ? MOST_BYTES : MOST_AT_LOGIN);
      return suffer(system, dice, { kind: 'short', bytes }, 3_000);
    },
  },
  {
    name: 'network-silent',
    what: 'No data reaches the database for 1 to 8 s, and existing connections never recover',
    iterations: { short: 1, full: 12 },
    healsWithinMs: 20_000,
    run: (system, dice) => suffer(system, dice, { kind: 'unresponsive' }, 8_000),
  },
  {
    // The outage is much longer than the time after which callers repeat a request.
    name: 'long-outage',
    what: 'The database is unavailable for a minute: connections are refused for half of that time, and no data arrives for the other half',
    iterations: { short: 0, full: 1 },
    healsWithinMs: 20_000,
    run: async ({ line }, dice) => {
      const kinds = ['closed', 'unresponsive'] as const;
      for (const kind of dice.chance(0.5) ? kinds : kinds.toReversed()) {
        await line.mend();
        await line.trouble({ kind });
        await delay(HALF_OUTAGE_MS);
      }
      await line.mend();
    },
  },
  {
    name: 'lost-answers',
    what: 'One in four writing transactions commits, but its response and its connection are lost',
    iterations: { short: 2, full: 20 },
    healsWithinMs: 3_000,
    run: async ({ line }, dice) => {
      const before = line.lostAnswers();
      const isLost = (sent: Buffer): boolean => WRITES.some((name) => sent.includes(name)) && dice.chance(0.25);
      await line.trouble({ kind: 'deaf', isLost });
      await waitUntil(() => line.lostAnswers() >= before + LOST, `${LOST} answers are lost`);
      await line.mend();
    },
    complaints: ({ lostAnswers }) => (lostAnswers < LOST ? [`only ${lostAnswers} of ${LOST} answers were lost`] : []),
  },
];

/** Breaks the line for a random time between one second and `longestMs`, and then repairs it. */
async function suffer({ line }: System, dice: Dice, trouble: Trouble, longestMs: number): Promise<void> {
  await line.trouble(trouble);
  await delay(1_000 + dice.roll(longestMs - 1_000));
  await line.mend();
}
