import type { PayoutId } from '#core/ids.ts';
import { type Mark, type MarkedPayout, type MarkDecision, markPayout, type PayoutStatus } from '../domain/payout.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockMarkedPayouts, saveMarks } from '../store/payouts.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { type PayoutResource, payouts } from '../store/read/payouts.ts';

export type MarkingOfOne =
  | { readonly kind: 'marked'; readonly payout: PayoutResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly because: Exclude<MarkDecision, 'changed' | 'unchanged'> };

/** Marks a payout as paid or unpaid. Repeating the same mark changes nothing. */
export function markOnePayout(tenant: Tenant<Database>, id: PayoutId, mark: Mark): Promise<MarkingOfOne> {
  return inTenantTransaction(tenant, async (tenant) => {
    const { kind } = (await markAll(tenant, [id], mark)).get(id) ?? UNKNOWN;
    if (kind === 'unknown') return UNKNOWN;
    if (kind !== 'changed' && kind !== 'unchanged') return { kind: 'forbidden', because: kind };
    return { kind: 'marked', payout: await readExisting(tenant, payouts, { id }) };
  });
}

/** The outcome of a mark. `status` is the payout's status after the mark, and `was` its status before. */
export type MarkOutcome =
  | { readonly kind: MarkDecision; readonly status: PayoutStatus; readonly was: PayoutStatus }
  | { readonly kind: 'unknown' };

const UNKNOWN = { kind: 'unknown' } as const;

/**
 * Marks many payouts in one transaction. Each payout is checked separately. Returns the outcome for each distinct id.
 */
export function markPayouts(
  tenant: Tenant<Database>,
  ids: readonly PayoutId[],
  mark: Mark,
): Promise<Map<PayoutId, MarkOutcome>> {
  return inTenantTransaction(tenant, (tenant) => markAll(tenant, ids, mark));
}

async function markAll(
  tenant: Tenant<Connection>,
  ids: readonly PayoutId[],
  mark: Mark,
): Promise<Map<PayoutId, MarkOutcome>> {
  const found = await lockMarkedPayouts(tenant, ids);
  const outcomes = new Map(ids.map((id) => [id, outcomeOf(found.get(id), mark)]));
  const changed = [...outcomes].flatMap(([id, { kind }]) => (kind === 'changed' ? [id] : []));
  if (changed.length > 0) await saveMarks(tenant, changed, mark);
  return outcomes;
}

function outcomeOf(payout: MarkedPayout | undefined, mark: Mark): MarkOutcome {
  if (payout === undefined) return UNKNOWN;
  const kind = markPayout(payout, mark);
  return { kind, status: kind === 'changed' ? mark : payout.status, was: payout.status };
}
