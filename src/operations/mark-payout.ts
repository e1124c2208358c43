import type { OrganizationId, PayoutId } from '#domain/ids.ts';
import { type Mark, type Marking, markPayout, type PayoutStatus } from '#domain/payout.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { lockMarkedPayouts, saveMarks } from '#store/payouts.ts';
import { readOne } from '#store/read/page.ts';
import { type PayoutResource, payouts } from '#store/read/payouts.ts';

export type MarkingOfOne =
  | { readonly kind: 'marked'; readonly payout: PayoutResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly because: Exclude<Marking, 'changed' | 'unchanged'> };

/** Somebody says that a payout was paid, or that it was not. The same again changes nothing. */
export function markOnePayout(
  database: Database,
  organizationId: OrganizationId,
  id: PayoutId,
  mark: Mark,
): Promise<MarkingOfOne> {
  return inTransaction(database, async (connection) => {
    const marking = (await markAll(connection, organizationId, [id], mark)).get(id)?.marking;
    if (marking === undefined) return { kind: 'unknown' };
    if (marking !== 'changed' && marking !== 'unchanged') return { kind: 'forbidden', because: marking };
    const payout = (await readOne(connection, organizationId, payouts, { id })) as PayoutResource;
    return { kind: 'marked', payout };
  });
}

export type Marked = { readonly marking: Marking; readonly status: PayoutStatus };

/** Many at once, each judged for itself and once; unknown ones are left out of the answer. `status` is as it is now. */
export function markPayouts(
  database: Database,
  organizationId: OrganizationId,
  ids: readonly PayoutId[],
  mark: Mark,
): Promise<Map<PayoutId, Marked>> {
  return inTransaction(database, (connection) => markAll(connection, organizationId, ids, mark));
}

async function markAll(
  connection: Connection,
  organizationId: OrganizationId,
  ids: readonly PayoutId[],
  mark: Mark,
): Promise<Map<PayoutId, Marked>> {
  const found = await lockMarkedPayouts(connection, organizationId, ids);
  const marked = new Map(
    found.map((payout) => {
      const marking = markPayout(payout, mark);
      return [payout.payoutId, { marking, status: marking === 'changed' ? mark : payout.status }];
    }),
  );
  const changed = [...marked].filter(([, { marking }]) => marking === 'changed').map(([id]) => id);
  if (changed.length > 0) await saveMarks(connection, organizationId, changed, mark);
  return marked;
}
