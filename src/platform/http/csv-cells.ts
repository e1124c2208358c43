import { jsonText } from '#core/contract/json-text.ts';
import { formatMajor, type Minor } from '#core/money.ts';
import { formatPercent } from '#core/percent.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Returns a compound value, such as the lines of an order, as text for people. The text lists its parts, with amounts
 * in major units and their currency. In columns without a format in `CELLS`, lists of plain values are joined with
 * commas, and other values are written as JSON. For example, values in the audit log are evidence, so they stay
 * unchanged.
 */
export function cellForPeople(column: string, value: object, row: Row): string {
  const words = Object.hasOwn(CELLS, column) ? CELLS[column] : undefined;
  if (words !== undefined) return words(value as never, row);
  return Array.isArray(value) && value.every(isPlain) ? value.join(', ') : jsonText(value);
}

type Words = (value: never, row: Row) => string;

/** The formats by column name, for all lists. */
const CELLS: Readonly<Record<string, Words>> = {
  aliases: each(({ code, type }: Alias) => `${code} (${type})`),
  lines: each(lineWords),
  'review.reasons': each(flagWords),
  reward: rewardWords,
  triggers: (points: object) => named(points),
  'tiers.steps': each(({ from, reward }: Step, row) => `from ${threshold(from, row)}: ${rewardWords(reward, row)}`),
  'lineFilter.include': each((matcher: object) => named(matcher)),
  'lineFilter.exclude': each((matcher: object) => named(matcher)),
  settings: (settings: object) => named(settings),
  outcome: each(({ verb, externalId }: Made) => `${verb} ${externalId}`),
  renewalRewards: each(
    ({ afterMonths, reward }: Aged, row) => `from month ${afterMonths}: ${rewardWords(reward, row)}`,
  ),
  collaboratorRewards: each(
    ({ collaboratorId, reward }: Own, row) => `collaborator ${collaboratorId}: ${rewardWords(reward, row)}`,
  ),
  customRates: each(({ programName, reward, ...rate }: CustomRate) => `${programName}: ${rewardWords(reward, rate)}`),
};

/* The types of the list fields that `CELLS` formats, as in the contracts. */

type Alias = { readonly code: string; readonly type: string };
type Reward =
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'per-sale' | 'per-product' | 'per-lead'; readonly amount: bigint };
type Made = { readonly verb: string; readonly externalId: string };
type Step = { readonly from: bigint; readonly reward: Reward };
type Aged = { readonly afterMonths: number; readonly reward: Reward };
type Own = { readonly collaboratorId: number; readonly reward: Reward };
type CustomRate = { readonly programName: string; readonly currency: string; readonly reward: Reward };
type Line = {
  readonly externalId: string | null;
  readonly name: string;
  readonly type: string;
  readonly quantity: number;
  readonly amount: bigint;
  readonly total: bigint;
};
type Flag = {
  readonly conversionId: number;
  readonly amount: bigint;
  readonly reason: string;
  readonly resolution?: string;
  readonly note?: string;
};

function each(words: Words): Words {
  return (parts: readonly never[], row) => parts.map((part) => words(part, row)).join('; ');
}

/**
 * Returns text such as `2 × Blue mug (sku-7) at 49.99 USD`. If the unit price doesn't add up to the total, the text
 * ends with the total instead, such as `for 10.00 USD`. A type other than `product` follows the id.
 */
function lineWords({ quantity, name, externalId, type, amount, total }: Line, row: Row): string {
  const what = [externalId ?? [], type === 'product' ? [] : type].flat().join(', ');
  const isSum = total === amount * BigInt(quantity);
  const price = isSum ? `at ${money(amount, row)}` : `for ${money(total, row)}`;
  return `${quantity} × ${name}${what === '' ? '' : ` (${what})`} ${price}`;
}

/** Returns text such as `5.00 USD of conversion 41: refunded, kept`. */
function flagWords({ conversionId, amount, reason, resolution, note }: Flag, row: Row): string {
  const words = note === undefined ? '' : ` (“${note}”)`;
  return `${money(amount, row)} of conversion ${conversionId}: ${reason}, ${resolution ?? 'open'}${words}`;
}

/** Returns text such as `10%` or `5.00 USD a sale`. */
function rewardWords(reward: Reward, row: Row): string {
  return reward.type === 'percent'
    ? formatPercent(reward.percent)
    : `${money(reward.amount, row)} ${UNITS[reward.type]}`;
}

const UNITS = { 'per-sale': 'a sale', 'per-product': 'a unit', 'per-lead': 'a lead' } as const;

/** Returns the threshold of a tier as text. It is an amount or a number of conversions. */
function threshold(from: bigint, row: Row): string {
  return (row['tiers'] as { readonly by: string }).by === 'sum' ? money(from, row) : String(from);
}

/** Returns text such as `site-visit: 1, coupon-applied: 5`. */
function named(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
}

function money(amount: bigint, { currency }: Row): string {
  return `${formatMajor(amount as Minor)} ${String(currency)}`;
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
