import { jsonText } from '#contract/json-text.ts';
import { formatMajor, type Minor } from '#domain/money.ts';
import { formatPercent } from '#domain/percent.ts';
import type { CollaboratorResource } from '#store/read/collaborators.ts';
import type { FlagResource } from '#store/read/payouts.ts';
import type { ProgramResource, ShownReward } from '#store/read/programs.ts';
import type { TransactionResource } from '#store/read/transactions.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * A cell for people of what is more than one value, such as the lines of an order: what it is made of, one after the other,
 * amounts in major units with their currency. What has no words here is as JSON has it: what the audit log keeps is
 * evidence, and stays to the letter.
 */
export function cellForPeople(column: string, value: object, row: Row): string {
  const words = Object.hasOwn(CELLS, column) ? CELLS[column] : undefined;
  if (words !== undefined) return words(value as never, row);
  return Array.isArray(value) && value.every(isPlain) ? value.join(', ') : jsonText(value);
}

type Words = (value: never, row: Row) => string;

/** By column, in whatever list it is. */
const CELLS: Readonly<Record<string, Words>> = {
  aliases: each(({ code, type }: CollaboratorResource['aliases'][number]) => `${code} (${type})`),
  lines: each(lineWords),
  'review.reasons': each(flagWords),
  reward: rewardWords,
  triggers: (points: ProgramResource['triggers']) => named(points),
  'tiers.steps': each(({ from, reward }: Step, row) => `from ${threshold(from, row)}: ${rewardWords(reward, row)}`),
  'lineFilter.include': each((matcher: Matcher) => named(matcher)),
  'lineFilter.exclude': each((matcher: Matcher) => named(matcher)),
  collaboratorRewards: each(
    ({ collaboratorId, reward }: Own, row) => `collaborator ${collaboratorId}: ${rewardWords(reward, row)}`,
  ),
};

type Tiers = NonNullable<ProgramResource['tiers']>;
type Step = Tiers['steps'][number];
type Matcher = NonNullable<ProgramResource['lineFilter']>['include'][number];
type Own = ProgramResource['collaboratorRewards'][number];
type Line = TransactionResource['lines'][number];

function each(words: Words): Words {
  return (parts: readonly never[], row) => parts.map((part) => words(part, row)).join('; ');
}

/** `2 × Blue mug (sku-7) at 49.99 USD`; what is no product says so. */
function lineWords({ quantity, name, externalId, type, amount }: Line, row: Row): string {
  const what = [externalId ?? [], type === 'product' ? [] : type].flat().join(', ');
  return `${quantity} × ${name}${what === '' ? '' : ` (${what})`} at ${money(amount, row)}`;
}

/** `5.00 USD of conversion 41: refunded, kept`. */
function flagWords({ conversionId, amount, reason, resolution, note }: FlagResource, row: Row): string {
  const words = note === undefined ? '' : ` (“${note}”)`;
  return `${money(amount, row)} of conversion ${conversionId}: ${reason}, ${resolution ?? 'open'}${words}`;
}

/** `10%`, `5.00 USD a sale`. */
function rewardWords(reward: ShownReward, row: Row): string {
  return reward.type === 'percent'
    ? formatPercent(reward.percent)
    : `${money(reward.amount, row)} ${UNITS[reward.type]}`;
}

const UNITS = { 'per-sale': 'a sale', 'per-product': 'a piece', 'per-lead': 'a lead' } as const;

/** Where a step begins is an amount, or a number of conversions. */
function threshold(from: bigint, row: Row): string {
  return (row['tiers'] as Tiers).by === 'sum' ? money(from, row) : String(from);
}

/** `site-visit: 1, coupon-applied: 5`. */
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
