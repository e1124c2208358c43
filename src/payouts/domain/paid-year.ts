import type { PayoutDetails } from '#collaborators/domain/payout-details.ts';
import type { TaxDetails } from '#collaborators/domain/tax-details.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { formatMajor, type Minor } from '#core/money.ts';

/** The sum and the number of the payouts that were paid in a period. */
export type Paid = { readonly amount: bigint; readonly payouts: number };

/** The amounts that a collaborator was paid in a calendar year, in one currency. */
export type PaidYear = {
  readonly collaboratorId: CollaboratorId;
  readonly name: string;
  readonly email: string | null;
  readonly currency: string;
  readonly quarters: readonly Paid[];
  /** The collaborator's tax details. Undefined if there are none, or if they were encrypted with a lost key. */
  readonly taxDetails: TaxDetails | undefined;
  readonly payoutDetails: PayoutDetails | undefined;
};

const TAX_COLUMNS = [
  'status',
  'firstName',
  'lastName',
  'legalName',
  'country',
  'street',
  'city',
  'region',
  'postalCode',
  'addressCountry',
  'tin',
  'tinCountry',
  'vatNumber',
  'registrationNumber',
  'dateOfBirth',
] as const satisfies readonly (keyof TaxDetails)[];

/**
 * The columns of the year-end export. They contain the data that Form 1099-NEC and DAC7 require (docs/decisions/0074).
 */
export const YEAR_COLUMNS = [
  'collaboratorId',
  'name',
  'email',
  ...TAX_COLUMNS,
  'accountHolder',
  'account',
  'currency',
  'paid',
  'payouts',
  ...[1, 2, 3, 4].flatMap((quarter) => [`paidQ${quarter}`, `payoutsQ${quarter}`]),
];

/** Returns a row of the year-end export, with amounts in major units. */
export function yearRow(year: PaidYear): (string | number | null)[] {
  const { collaboratorId, name, email, currency, quarters, taxDetails, payoutDetails } = year;
  const whole = quarters.reduce(
    (sum, { amount, payouts }) => ({ amount: sum.amount + amount, payouts: sum.payouts + payouts }),
    { amount: 0n, payouts: 0 },
  );
  return [
    collaboratorId,
    name,
    email,
    ...TAX_COLUMNS.map((column) => taxDetails?.[column] ?? null),
    payoutDetails?.holder ?? null,
    payoutDetails?.account ?? null,
    currency,
    ...[whole, ...quarters].flatMap(({ amount, payouts }) => [formatMajor(amount as Minor), payouts]),
  ];
}
