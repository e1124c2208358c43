import type { Database } from '#platform/postgres/database.ts';
import { compareOrders, compareVisits, type Stored } from '#tools/traffic/compare.ts';
import type { Complain } from '#tools/traffic/complaint.ts';
import { verify } from '#verify/verify.ts';
import type { Load } from './load.ts';

/**
 * Checks that every acknowledged report exists exactly once, and every unanswered report at most once. Decisions are
 * not checked, because the worker may still be processing.
 */
export async function checkReports(database: Database, { shop, shoppers }: Load, complain: Complain): Promise<void> {
  const { rows: orders } = await database.query<Stored>(
    `select external_id as "externalId", total, refunded_amount as refunded from transactions where organization_id = $1`,
    [shop.organizationId],
  );
  compareOrders(shoppers, orders, complain);
  const { rows: visits } = await database.query<{ count: number }>(
    'select count(*) as count from visits where organization_id = $1',
    [shop.organizationId],
  );
  compareVisits(shoppers, visits[0]?.count ?? 0, complain);
}

/** Checks the final state: every report and every answered change exists, and no invariant of the books is broken. */
export async function checkBooks(database: Database, load: Load, complain: Complain): Promise<void> {
  await checkReports(database, load, complain);
  await checkMerchant(database, load, complain);
  const { breaches } = await verify(database, load.shop.organizationId);
  for (const { invariant, detail } of breaches) complain('wrong', `verify: ${invariant}: ${detail}`);
}

async function checkMerchant(database: Database, { shop, done }: Load, complain: Complain): Promise<void> {
  const { rows: undone } = await database.query<{ id: number; status: string }>(
    // A refund may have rejected an approved conversion, so skip refunded sales.
    `select c.id, c.status from conversions c
     join transactions t on t.organization_id = c.organization_id and t.id = c.transaction_id
     where c.organization_id = $1 and c.id = any ($2::bigint[]) and c.status <> 'approved' and t.refunded_amount = 0`,
    [shop.organizationId, [...done.approved]],
  );
  for (const { id, status } of undone) complain('lost', `Conversion ${id} was approved, but is now ${status}.`);
  const { rows: runs } = await database.query<{ id: number; status: string }>(
    'select id, status from fulfillments where organization_id = $1',
    [shop.organizationId],
  );
  const statuses = new Map(runs.map(({ id, status }) => [id, status]));
  for (const [id, status] of done.runs) {
    if (statuses.get(id) !== status)
      complain('lost', `The response showed payout run ${id} as ${status}, but it is ${statuses.get(id)}.`);
  }
  for (const id of statuses.keys()) {
    if (!done.runs.has(id)) complain('doubled', `Payout run ${id} exists, but no response contained it.`);
  }
}
