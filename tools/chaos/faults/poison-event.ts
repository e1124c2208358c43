import { randomUUID } from 'node:crypto';
import { type Load, until } from '../load.ts';
import { openShop, type Shop } from '../shop.ts';
import type { System } from '../system.ts';
import { openCaller, newTally, type Report } from '../caller.ts';
import type { Fault } from '../fault.ts';
import { MAX_ATTEMPTS } from '#platform/worker/jobs.ts';
import type { Dice } from '#test/support/random.ts';

const SALES = 1_000;
const AT_ONCE = 10;

/**
 * Runs in its own organization with 1,000 sales, apart from the load, so that the measured delay is caused by the
 * poison event alone.
 */
export const fault: Fault = {
  name: 'poison-event',
  what: 'One event among 1,000 that can’t be decided: the others take less than twice as long, it is parked, and a retry decides it',
  trials: { short: 1, full: 3 },
  healsWithinMs: 3_000,
  run: async (system, dice) => {
    const { shop, insist, close } = await openPoisonedShop(system, dice);
    const clean = await sellAll(system, shop, 'clean', insist, dice);
    const poisoned = await insist({ path: '/event/site-visited', body: { collaboratorId: 'tracking:poison' } });
    const setReward = (reward: string): Promise<unknown> =>
      // Sets a reward that no code understands, which no API call could store.
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
    await park(system, shop, names.length);
    await setReward('{"type": "percent", "ratePpm": 100000}');
    const parked = JSON.parse((await insist({ method: 'GET', path: '/events?state=parked' })).text) as { id: number }[];
    if (parked.length !== names.length) throw new Error(`${parked.length} events are parked, of ${names.length}`);
    for (const { id } of parked) await insist({ path: `/events/${id}/retry`, idempotencyKey: randomUUID() });
    await until(async () => (await jobsOf(system, shop)) === 0, 'a retry decides it');
    const { rows } = await system.database.query<{ n: number }>(
      `select count(*) as n from conversions c
       join transactions t on t.organization_id = c.organization_id and t.id = c.transaction_id
       where t.organization_id = $1 and t.external_id = any ($2)`,
      [shop.organizationId, names.map((name) => `${name}-poison`)],
    );
    if (rows[0]?.n !== names.length * (shop.percents.size + 1))
      throw new Error(`what was parked has earned ${rows[0]?.n} times`);
    close();
  },
};

type Insist = Load['insist'];

/** Opens a shop with a program in which only one collaborator can earn. */
async function openPoisonedShop(
  system: System,
  dice: Dice,
): Promise<{ shop: Shop; insist: Insist; close: () => void }> {
  const shop = await openShop(system);
  const callers = Array.from({ length: AT_ONCE }, () => openCaller(system.apis, shop.key, dice, newTally()));
  const insist: Insist = async (report) => {
    for (;;) {
      const answer = await dice.pick(callers).send(report);
      if (answer.kind === 'answered' && answer.status < 300) return answer;
      if (answer.kind === 'answered') throw new Error(`${report.path}: ${answer.text}`);
    }
  };
  const create = async (path: string, body: unknown): Promise<number> =>
    (JSON.parse((await insist({ path, body })).text) as { id: number }).id;
  const reward = { type: 'percent', percent: 10 };
  const broken = await create('/programs', { name: 'Broken', reward, enrollment: 'selected' });
  const aliases = [{ type: 'tracking', code: 'poison' }];
  const collaboratorId = await create('/collaborators', { name: 'poison', aliases });
  await insist({ path: `/programs/${broken}/collaborators`, body: { collaboratorId } });
  return { shop, insist, close: () => callers.forEach((caller) => caller.close()) };
}

/**
 * Returns the milliseconds until all sales are reported and decided, except `left` events. The default for `left` is
 * the one `poisoned` sale.
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
  await until(async () => (await jobsOf(system, shop)) === left, 'the others are decided');
  return performance.now() - began;
}

/** Waits until the events are dead-lettered, and ends the pauses between their attempts. */
async function park({ database }: System, { organizationId }: Shop, events: number): Promise<void> {
  await until(async () => {
    await database.query(
      'update jobs set run_at = now() where organization_id = $1 and parked_at is null and run_at > now()',
      [organizationId],
    );
    const { rows } = await database.query<{ attempts: number }>(
      'select attempts from jobs where organization_id = $1 and parked_at is not null',
      [organizationId],
    );
    return rows.length === events && rows.every(({ attempts }) => attempts === MAX_ATTEMPTS);
  }, 'all are parked');
}

async function jobsOf({ database }: System, { organizationId }: Shop): Promise<number> {
  const { rows } = await database.query<{ n: number }>('select count(*) as n from jobs where organization_id = $1', [
    organizationId,
  ]);
  return rows[0]?.n ?? 0;
}
