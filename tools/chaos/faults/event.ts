import { randomUUID } from 'node:crypto';
import { waitUntil } from '#tools/traffic/until.ts';
import { openOwnShop, type Shop } from '../load.ts';
import type { System } from '../system.ts';
import { type Client, openClient, type Report, Tally } from '#tools/traffic/client.ts';
import type { Fault } from '../fault.ts';
import { MAX_ATTEMPTS } from '#platform/worker/jobs.ts';
import type { Dice } from '#tools/traffic/random.ts';

const SALES = 1_000;
const AT_ONCE = 10;

/**
 * The fault of an event that can't be decided. It runs in its own organization, apart from the load, so that the
 * measured delay is caused by this event alone.
 */
export const faults: readonly Fault[] = [
  {
    name: 'poison-event',
    what: 'One event among 1,000 can’t be decided: the other events take less than twice as long, the event is dead-lettered, and a retry decides it',
    iterations: { short: 1, full: 3 },
    healsWithinMs: 3_000,
    run: async (system, dice) => {
      const { shop, client } = await openPoisonedShop(system, dice);
      const { insist } = client;
      const clean = await sellAll(system, shop, 'clean', insist, dice);
      const poisoned = await insist({ path: '/event/site-visited', body: { collaboratorId: 'tracking:poison' } });
      const setReward = (reward: string): Promise<unknown> =>
        // Write to the database, because the API refuses a reward that the service doesn't know.
        system.database.query(
          `update program_versions set reward = $2
         where organization_id = $1 and name = 'Broken'`,
          [shop.organizationId, reward],
        );
      await setReward('{"type": "per-moon"}');
      let amid = await sellAll(system, shop, 'amid', insist, dice, poisoned.oid);
      let names = ['amid'];
      if (amid > 2 * clean) {
        // The machine may have been busy, so try again with another poisoned sale.
        amid = await sellAll(system, shop, 'again', insist, dice, poisoned.oid, 2);
        names = ['amid', 'again'];
      }
      if (amid > 2 * clean)
        throw new Error(`1,000 sales took ${clean} ms, and ${amid} ms with one that can't be decided`);
      await deadLetter(system, shop, names.length);
      await setReward('{"type": "percent", "ratePpm": 100000}');
      const parked = JSON.parse((await insist({ method: 'GET', path: '/events?state=parked' })).text) as {
        id: number;
      }[];
      if (parked.length !== names.length)
        throw new Error(`${parked.length} events are dead-lettered instead of ${names.length}`);
      for (const { id } of parked) await insist({ path: `/events/${id}/retry`, idempotencyKey: randomUUID() });
      await waitUntil(async () => (await jobsOf(system, shop)) === 0, 'a retry decides it');
      const { rows } = await system.database.query<{ n: number }>(
        `select count(*) as n from conversions c
       join transactions t on t.organization_id = c.organization_id and t.id = c.transaction_id
       where t.organization_id = $1 and t.external_id = any ($2)`,
        [shop.organizationId, names.map((name) => `${name}-poison`)],
      );
      if (rows[0]?.n !== names.length * (shop.programIds.length + 1))
        throw new Error(
          `the retried events created ${rows[0]?.n} conversions instead of ${names.length * (shop.programIds.length + 1)}`,
        );
      client.close();
    },
  },
];

type Insist = Client['insist'];

/**
 * Creates an organization with an additional program in which only one collaborator can earn. Returns the organization,
 * and a client for it.
 */
async function openPoisonedShop(
  { apis, ...system }: System,
  dice: Dice,
): Promise<{ readonly shop: Shop; readonly client: Client }> {
  const shop = await openOwnShop({ apis, ...system });
  const urls = (): string[] => apis.map(({ url }) => url());
  const client = openClient({ urls, key: shop.key, connections: AT_ONCE, tally: new Tally(), dice });
  const reward = { type: 'percent', percent: 10 };
  const broken = await client.create('/programs', { name: 'Broken', reward, enrollment: 'selected' });
  const aliases = [{ type: 'tracking', code: 'poison' }];
  const collaboratorId = await client.create('/collaborators', { name: 'poison', aliases });
  await client.create(`/programs/${broken}/collaborators`, { collaboratorId });
  return { shop, client };
}

/**
 * Reports 1,000 sales, and one more with the opportunity `poisoned` if it is given. Returns the milliseconds until all
 * events except `left` events are decided. By default, only the poisoned sale stays undecided.
 */
async function sellAll(
  system: System,
  shop: Shop,
  name: string,
  insist: Insist,
  dice: Dice,
  poisoned?: string,
  left = poisoned === undefined ? 0 : 1,
): Promise<number> {
  const visit = await insist({ path: '/event/site-visited', body: { collaboratorId: 'tracking:ada' } });
  const began = performance.now();
  const sale = (externalId: string, trackingId: string | undefined): Report => ({
    path: '/event/sale',
    body: { source: 'poison', externalId, total: 10, trackingId },
  });
  const poisonAt = dice.roll(SALES);
  let next = 0;
  const seller = async (): Promise<void> => {
    for (let n = next++; n < SALES; n = next++) {
      if (poisoned !== undefined && n === poisonAt) await insist(sale(`${name}-poison`, poisoned));
      await insist(sale(`${name}-${n}`, visit.oid));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, seller));
  await waitUntil(async () => (await jobsOf(system, shop)) === left, 'the others are decided');
  return performance.now() - began;
}

/** Skips the pauses between attempts to decide the events, and waits until the events are dead-lettered. */
async function deadLetter({ database }: System, { organizationId }: Shop, events: number): Promise<void> {
  await waitUntil(async () => {
    await database.query(
      'update jobs set run_at = now() where organization_id = $1 and dead_lettered_at is null and run_at > now()',
      [organizationId],
    );
    const { rows } = await database.query<{ attempts: number }>(
      'select attempts from jobs where organization_id = $1 and dead_lettered_at is not null',
      [organizationId],
    );
    return rows.length === events && rows.every(({ attempts }) => attempts === MAX_ATTEMPTS);
  }, 'all are dead-lettered');
}

async function jobsOf({ database }: System, { organizationId }: Shop): Promise<number> {
  const { rows } = await database.query<{ n: number }>('select count(*) as n from jobs where organization_id = $1', [
    organizationId,
  ]);
  return rows[0]?.n ?? 0;
}
