import type { PaidYear } from '../../domain/paid-year.ts';
import type { PayoutDetails } from '#collaborators/domain/payout-details.ts';
import type { TaxDetails } from '#collaborators/domain/tax-details.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Connection } from '#platform/postgres/database.ts';
import { mapSlices, readSlices } from '#platform/postgres/lists/slices.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

type Row = Pick<PaidYear, 'collaboratorId' | 'name' | 'email' | 'currency'> & {
  /** The sums of the quarters. They are texts, because they can exceed 2^53. */
  readonly amounts: readonly string[];
  readonly counts: readonly number[];
  readonly tax: Buffer | null;
  readonly payout: Buffer | null;
};

/**
 * Yields, in slices, the amounts that each collaborator was paid in a calendar year, by currency. The year is in the
 * organization's time zone. Must be called in a transaction. Uses the index `payouts_paid`.
 */
export function readPaidYear(
  { connection, organizationId }: Tenant<Connection>,
  secrets: SecretBox,
  year: number,
): AsyncGenerator<readonly PaidYear[]> {
  const quarters = [1, 2, 3, 4].map((quarter) => `filter (where quarter = ${quarter})`);
  const slices = readSlices<Row>(
    connection,
    `select p.collaborator_id as "collaboratorId", c.name, c.email, p.currency, p.amounts, p.counts, t.details as tax,
       d.details as payout
     from (
       select collaborator_id, currency,
         array[${quarters.map((each) => `coalesce(sum(amount) ${each}, 0)`).join(', ')}]::text[] as amounts,
         array_to_json(array[${quarters.map((each) => `count(*) ${each}`).join(', ')}]) as counts
       from (
         select p.collaborator_id, p.currency, p.amount, extract(quarter from p.paid_at at time zone o.time_zone) as quarter
         from organizations o join payouts p on p.organization_id = $1
         where o.id = $1 and p.paid_at >= $2::date - interval '1 day' and p.paid_at < $3::date + interval '1 day'
           and p.paid_at at time zone o.time_zone >= $2::date and p.paid_at at time zone o.time_zone < $3::date
       ) paid
       group by collaborator_id, currency
     ) p
     join collaborators c on c.organization_id = $1 and c.id = p.collaborator_id
     left join tax_details t on t.organization_id = $1 and t.collaborator_id = p.collaborator_id
     left join payout_details d on d.organization_id = $1 and d.collaborator_id = p.collaborator_id
     order by p.collaborator_id, p.currency`,
    [organizationId, `${year}-01-01`, `${year + 1}-01-01`],
  );
  return mapSlices(slices, ({ amounts, counts, tax, payout, ...row }) => ({
    ...row,
    quarters: amounts.map((amount, at) => ({ amount: BigInt(amount), payouts: counts[at] ?? 0 })),
    taxDetails: opened(secrets, tax) as TaxDetails | undefined,
    payoutDetails: opened(secrets, payout) as PayoutDetails | undefined,
  }));
}

function opened(secrets: SecretBox, details: Buffer | null): unknown {
  return details === null || !secrets.sealed(details) ? undefined : JSON.parse(secrets.open(details));
}
