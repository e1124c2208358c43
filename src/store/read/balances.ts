import { type Balance, balancesOf, type Moved } from '#domain/ledger.ts';
import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { Queryable } from '../database.ts';

/** The balances of a collaborator, from entries of the ledger alone; undefined without the collaborator. */
export async function readBalances(
  connection: Queryable,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
): Promise<Balance[] | undefined> {
  const { rows } = await connection.query<MovedRow>(READ_MOVED, [organizationId, collaboratorId, null]);
  return rows.length === 0 ? undefined : balancesOf(readMoved(rows));
}

export type MovedRow = Pick<Moved, 'currency' | 'debit' | 'credit'> & { readonly amount: string | null };

/**
 * What a collaborator's entries before $3 (null: all) moved, by account: a dozen rows for each currency, and one without
 * a currency that says that there is the collaborator. By ledger_entries_collaborator. [Of 100,000 entries: 28 ms.]
 */
export const READ_MOVED = `
  select e.currency, e.debit, e.credit, e.amount::text as amount
  from collaborators c
  cross join lateral (
    select null::text as currency, null::text as debit, null::text as credit, null::numeric as amount
    union all
    (
      select currency, debit, credit, sum(amount) from ledger_entries
      where organization_id = c.organization_id and collaborator_id = c.id
        and ($3::timestamptz is null or occurred_at < $3)
      group by currency, debit, credit
    )
  ) e
  where c.organization_id = $1 and c.id = $2`;

export function readMoved(rows: readonly MovedRow[]): Moved[] {
  return rows.flatMap(({ amount, ...accounts }) =>
    amount === null ? [] : [{ ...accounts, amount: BigInt(amount) as Minor }],
  );
}
