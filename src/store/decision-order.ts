import type { OrganizationId } from '#domain/ids.ts';
import type { Connection } from './database.ts';

/**
 * Begins a transaction that decides, or that changes what decisions look back at. Answers whether the organization is
 * decided in order: it has, or had, a program whose pay depends on what was decided before (a cap or tiers per period,
 * credit once an opportunity). Then only one such transaction runs at a time, until it ends.
 *
 * The shared lock is asked for in a statement of its own, so that what the second one sees is not older than the lock:
 * `holdDecisions` can't come between.
 */
export async function holdDecisionOrder(connection: Connection, organizationId: OrganizationId): Promise<boolean> {
  await connection.query({
    name: 'begin-decision',
    text: `select pg_advisory_xact_lock_shared($1, ($2::bigint % 2147483647)::int)`,
    values: [DECISIONS, organizationId],
  });
  const { rows } = await connection.query({
    name: 'hold-decision-order',
    text: `
      select pg_advisory_xact_lock($1, ($2::bigint % 2147483647)::int)
      where exists (select from program_versions where organization_id = $2 and decided_in_order)`,
    values: [DECISION_ORDER, organizationId],
  });
  return rows.length > 0;
}

/**
 * Waits for the decisions in flight, and holds up new ones until the transaction ends: for the change that makes an
 * organization one that is decided in order. Without it a decision that has not seen the change could run beside one
 * that has, and the second would miss what the first awards.
 */
export async function holdDecisions(connection: Connection, organizationId: OrganizationId): Promise<void> {
  await connection.query('select pg_advisory_xact_lock($1, ($2::bigint % 2147483647)::int)', [
    DECISIONS,
    organizationId,
  ]);
}

/** `deci` and `orde` in ASCII, so that no other lock of two keys is met. */
const DECISIONS = 0x64656369;
const DECISION_ORDER = 0x6f726465;
