import { isSEPACountry } from 'ibantools';
import type { PayoutDetails } from '#collaborators/domain/payout-details.ts';
import { payableUnit } from '#core/currency.ts';
import type { CollaboratorId, PayoutId } from '#core/ids.ts';
import { formatMajor, type Minor } from '#core/money.ts';
import { sepaText } from './sepa-text.ts';

/**
 * The formats of a run's payment files. A payout is in at most one of `sepa`, `paypal`, `wise` and `other`. `all`
 * contains the payouts of these four formats, for people who enter payments by hand.
 */
export const FILE_FORMATS = ['sepa', 'paypal', 'wise', 'other', 'all'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];
/** A format other than `all`. */
export type OwnFormat = Exclude<FileFormat, 'all'>;

/**
 * The reasons why a payout is in none of the formats `sepa`, `paypal` and `wise`. For the reasons up to
 * `in-another-file`, the payout is in no file at all. For the later reasons, the payout is in the files `other` and
 * `all`.
 */
export const LEFT_OUT_REASONS = [
  'under-review',
  'no-tax-details',
  'no-details',
  'in-another-file',
  'other-method',
  'unsupported-currency',
  'unsupported-account',
  'unsupported-name',
  'unsupported-amount',
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** A payout with the facts about its payee. */
export type Payee = {
  readonly payoutId: PayoutId;
  readonly collaboratorId: CollaboratorId;
  readonly amount: Minor;
  readonly currency: string;
  readonly needsReview: boolean;
  /** Whether tax details are required and missing. */
  readonly lacksTaxDetails: boolean;
  readonly name: string;
  /** The collaborator's payout details. Undefined if there are none, or if they were encrypted with a lost key. */
  readonly details: PayoutDetails | undefined;
  /** The format of the first downloaded file with this payout, not counting the format `all`. Null if there is none. */
  readonly downloadedAs: OwnFormat | null;
};

export type PayableTo = Payee & { readonly details: PayoutDetails };

/**
 * The format of the file that contains a payout, or null if no file contains the payout. The reason is null if the
 * format is `sepa`, `paypal` or `wise`.
 */
export type Place = { readonly format: OwnFormat | null; readonly reason: LeftOutReason | null };

/** The currencies in which PayPal makes payouts. */
const PAYPAL_CURRENCIES: ReadonlySet<string> = new Set(
  'AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' '),
);

/** The lowest amount that is too large for a SEPA credit transfer, in cents. */
const BILLION_EUROS = 100_000_000_000n;

/**
 * Returns the place of a payout. A payout that was downloaded in one format and now belongs to another format is in no
 * file. Otherwise, a payee who has changed the payout method since the download could be paid with both files.
 */
export function placeOf(payee: Payee): Place {
  const place = placeByDetails(payee);
  const { downloadedAs } = payee;
  return downloadedAs === null || place.format === null || place.format === downloadedAs
    ? place
    : { format: null, reason: 'in-another-file' };
}

function placeByDetails({ needsReview, lacksTaxDetails, details, currency, amount, name }: Payee): Place {
  if (needsReview) return { format: null, reason: 'under-review' };
  if (lacksTaxDetails) return { format: null, reason: 'no-tax-details' };
  if (details === undefined) return { format: null, reason: 'no-details' };
  const { method, account, holder } = details;
  if (method === 'wise') return { format: 'wise', reason: null };
  if (method === 'paypal') {
    return PAYPAL_CURRENCIES.has(currency) ? { format: 'paypal', reason: null } : inOther('unsupported-currency');
  }
  if (method !== 'iban') return inOther('other-method');
  if (currency !== 'EUR') return inOther('unsupported-currency');
  if (!isSEPACountry(account.slice(0, 2))) return inOther('unsupported-account');
  if (amount >= BILLION_EUROS) return inOther('unsupported-amount');
  return sepaText(holder ?? name) === undefined ? inOther('unsupported-name') : { format: 'sepa', reason: null };
}

function inOther(reason: LeftOutReason): Place {
  return { format: 'other', reason };
}

/** Returns whether the files of a format contain a payout with the given place. */
export function isInFile(format: FileFormat, place: Place): boolean {
  return format === 'all' ? place.format !== null : place.format === format;
}

/** The maximum number of payouts in one file. PayPal, Wise and some banks refuse larger files. */
export const ROWS_OF_FILE: Readonly<Record<FileFormat, number>> = {
  sepa: 5_000,
  paypal: 5_000,
  wise: 1_000,
  other: 5_000,
  all: 5_000,
};

export type PlacedPayout = Pick<Payee, 'payoutId' | 'collaboratorId' | 'amount' | 'downloadedAs'> & Place;

/** A file of a run. It contains the run's payouts of its format whose ids are from `first` to `last`. */
export type PaymentFile = {
  readonly format: FileFormat;
  readonly first: PayoutId;
  readonly last: PayoutId;
  readonly payouts: number;
  readonly amount: Minor;
  /** The number of payouts that were in no downloaded file, not counting the format `all`. */
  readonly notDownloaded: number;
};

/** Returns the files of a run. The payouts must be sorted by id. */
export function filesOf(placed: readonly PlacedPayout[]): PaymentFile[] {
  return FILE_FORMATS.flatMap((format) => {
    const inside = placed.filter((payout) => isInFile(format, payout));
    const starts = inside.filter((_, at) => at % ROWS_OF_FILE[format] === 0);
    return starts.map((start, part) => {
      const rows = inside.slice(part * ROWS_OF_FILE[format], (part + 1) * ROWS_OF_FILE[format]);
      const { payoutId: last } = rows.at(-1) as PlacedPayout;
      const amount = rows.reduce((sum, row) => sum + row.amount, 0n) as Minor;
      const notDownloaded = rows.filter(({ downloadedAs }) => downloadedAs === null).length;
      return { format, first: start.payoutId, last, payouts: rows.length, amount, notDownloaded };
    });
  });
}

const REFERENCE = 'PAYOUT-';

/**
 * Returns the reference of a payment, such as `PAYOUT-61`. It has at most 23 characters and no spaces, so that it fits
 * the limits of all formats.
 */
export function referenceOf(payoutId: PayoutId): string {
  return `${REFERENCE}${payoutId}`;
}

/**
 * Returns an amount with the decimals that banks and payment services accept: none in a currency without decimals, such
 * as JPY, and otherwise two.
 */
export function paymentAmount(amount: Minor, currency: string): string {
  const major = formatMajor(amount);
  return payableUnit(currency) === 1n ? major : major.slice(0, -3);
}
