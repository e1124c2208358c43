import type { Complain } from './complaint.ts';
import type { Load } from './load.ts';
import { type Expected, SOURCE } from './order-story.ts';
import type { Database } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';

type Stored = {
  readonly externalId: string;
  readonly total: number;
  readonly refunded: number;
  readonly status: string;
  /** The conversions that are not rejected, each as `program:alias code:amount`. */
  readonly earned: readonly string[];
};

/**
 * Checks the reports before unanswered ones are sent again: every acknowledged report exists exactly once, and an
 * unanswered one at most once. Decisions are checked later, because the worker is still processing.
 */
export async function checkReports(database: Database, load: Load, complain: Complain): Promise<void> {
  const stored = await readOrders(database, load);
  for (const story of load.stories) compareReport(story.expected(), stored.get(story.externalId) ?? [], complain);
  checkStrangers(load, stored, complain);
  await checkVisits(database, load, complain);
}

/**
 * Checks the final state: every report exists, and all amounts that were earned, approved and paid are exact to the
 * cent.
 */
export async function checkBooks(database: Database, load: Load, complain: Complain): Promise<void> {
  const stored = await readOrders(database, load);
  for (const story of load.stories) {
    const expected = story.expected();
    const found = stored.get(story.externalId) ?? [];
    compareReport(expected, found, complain);
    if (expected.sold === 'yes' && found[0] !== undefined) compareEarned(load, expected, found[0], complain);
  }
  checkStrangers(load, stored, complain);
  await checkVisits(database, load, complain);
  await checkMerchant(database, load, complain);
  const { breaches } = await verify(database, load.shop.organizationId);
  for (const { invariant, detail } of breaches) complain('wrong', `verify: ${invariant}: ${detail}`);
}

function compareReport(expected: Expected, found: readonly Stored[], complain: Complain): void {
  const { externalId, cents, refunded, maybeRefunded, sold } = expected;
  if (found.length > 1) complain('doubled', `order ${externalId} is there ${found.length} times`);
  const [order] = found;
  if (order === undefined) {
    if (sold === 'yes') complain('lost', `order ${externalId} was acknowledged, and is not there`);
    return;
  }
  if (sold === 'no') complain('wrong', `order ${externalId} is there, and was never sent`);
  if (order.total !== cents) complain('wrong', `order ${externalId} is of ${order.total} cents, and was of ${cents}`);
  if (order.refunded < refunded) {
    complain('lost', `order ${externalId}: ${refunded} cents were given back, and ${order.refunded} are known of`);
  } else if (order.refunded > refunded && order.refunded !== maybeRefunded) {
    complain('doubled', `order ${externalId}: ${refunded} cents were given back, and ${order.refunded} are counted`);
  }
}

function compareEarned({ shop }: Load, expected: Expected, order: Stored, complain: Complain): void {
  const left = expected.cents - expected.refunded;
  const earned = [...shop.percents].map(([id, percent]) => `${id}:${expected.collaborator}:${(left * percent) / 100}`);
  const wanted = left === 0 ? [] : earned;
  const missing = wanted.filter((each) => !order.earned.includes(each));
  const beyond = order.earned.filter((each) => !wanted.includes(each));
  if (missing.length === 0 && beyond.length === 0 && order.earned.length === wanted.length) return;
  const kind =
    order.earned.length < wanted.length ? 'undecided' : order.earned.length > wanted.length ? 'doubled' : 'wrong';
  complain(
    kind,
    `order ${expected.externalId}, ${left} cents: earns ${order.earned.join(' ')}, and should earn ${wanted.join(' ')}`,
  );
}

function checkStrangers(load: Load, stored: ReadonlyMap<string, readonly Stored[]>, complain: Complain): void {
  const sent = new Set(load.stories.map(({ externalId }) => externalId));
  for (const externalId of stored.keys()) {
    if (!sent.has(externalId)) complain('wrong', `order ${externalId} is there, and nobody has sent it`);
  }
}

async function checkVisits(database: Database, { shop, stories }: Load, complain: Complain): Promise<void> {
  const { rows } = await database.query<{ visits: number }>(
    'select count(*) as visits from visits where organization_id = $1',
    [shop.organizationId],
  );
  const visits = rows[0]?.visits ?? 0;
  const known = stories.reduce((sum, story) => sum + story.visits, 0);
  const open = stories.filter((story) => story.isOpen && story.visits === 0).length;
  if (visits < known) complain('lost', `${known} visits were acknowledged, and ${visits} are there`);
  if (visits > known + open) complain('doubled', `${known + open} visits were sent, and ${visits} are there`);
}

async function checkMerchant(database: Database, { shop, done }: Load, complain: Complain): Promise<void> {
  const { rows: undone } = await database.query<{ id: number; status: string }>(
    `select c.id, c.status from conversions c
     join transactions t on t.organization_id = c.organization_id and t.id = c.transaction_id
     where c.organization_id = $1 and c.id = any ($2::bigint[])
       and c.status <> 'approved' and t.status <> 'refunded'`,
    [shop.organizationId, [...done.approved]],
  );
  for (const { id, status } of undone) complain('lost', `conversion ${id} was approved, and is ${status}`);
  const { rows: runs } = await database.query<{ id: number; status: string }>(
    'select id, status from fulfillments where organization_id = $1',
    [shop.organizationId],
  );
  const statuses = new Map(runs.map(({ id, status }) => [id, status]));
  for (const [id, status] of done.runs) {
    if (statuses.get(id) !== status) {
      complain('lost', `payout run ${id} was answered as ${status}, and is ${statuses.get(id)}`);
    }
  }
  for (const id of statuses.keys()) {
    if (!done.runs.has(id)) complain('doubled', `payout run ${id} is there, and no call was answered with it`);
  }
}

async function readOrders(database: Database, { shop }: Load): Promise<Map<string, Stored[]>> {
  const { rows } = await database.query<Stored>(
    `select t.external_id as "externalId", t.total, t.refunded_amount as refunded, t.status, coalesce(e.earned, '{}') as earned
     from transactions t
     left join lateral (
       select array_agg(c.program_id || ':' || a.code || ':' || c.amount) as earned
       from conversions c
       join aliases a on a.organization_id = c.organization_id and a.collaborator_id = c.collaborator_id
       where c.organization_id = t.organization_id and c.transaction_id = t.id and c.status <> 'rejected'
     ) e on true
     where t.organization_id = $1 and t.source = $2`,
    [shop.organizationId, SOURCE],
  );
  const orders = new Map<string, Stored[]>();
  for (const row of rows) orders.set(row.externalId, [...(orders.get(row.externalId) ?? []), row]);
  return orders;
}
