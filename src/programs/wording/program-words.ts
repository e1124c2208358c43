import { type BuyerDetail, canHoldConversions, type Holds } from '../domain/hold.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { count } from '#core/count.ts';
import type { LineFilter, LineMatcher } from '../domain/line-filter.ts';
import { formatMajor, type Minor } from '#core/money.ts';
import { formatPercent } from '#core/percent.ts';
import type { Period } from '#core/period.ts';
import type { AttributionModel, PayableKind, ProgramTerms, Reward, Trigger } from '../domain/program.ts';
import type { LineType } from '../domain/line.ts';
import { COUPON_APPLIED, SITE_VISIT } from '../domain/custom-event.ts';
import { withCustomRate } from '../domain/program-terms.ts';
import { countsItsCurrency } from '../domain/reward.ts';

/**
 * The reader of a terms summary. The merchant sees all custom rates, with the names of their collaborators if known. A
 * collaborator sees no custom rate except their own. The id null means any collaborator without a custom rate.
 */
export type ProgramReader =
  | { readonly kind: 'merchant'; readonly names: ReadonlyMap<CollaboratorId, string> }
  | { readonly kind: 'collaborator'; readonly id: CollaboratorId | null };

/**
 * Returns the terms summary of a program as a list of plain sentences. The list begins with the reward, or with the
 * status if the program isn't active.
 */
export function summarizeTerms(terms: ProgramTerms, reader: ProgramReader): string[] {
  const shown = termsFor(reader, terms);
  const earns = reader.kind === 'merchant' ? 'Partners earn' : 'You earn';
  return [
    ...status(terms),
    ...reward(shown, earns),
    ...(reader.kind === 'merchant' ? ownRewards(terms, reader.names) : []),
    ...tiers(shown),
    ...filter(terms.lineFilter),
    ...limits(terms, reader),
    ...currency(shown),
    touches(terms, reader),
    `The ${noun(terms)} must occur within ${count(terms.windowDays, 'day')} of the last touch.`,
    ATTRIBUTION[terms.attribution],
    ...(terms.groupId === null
      ? []
      : [`It belongs to a group of programs. Only one of them pays for a ${noun(terms)}.`]),
    ...credits(terms),
    ...renewals(terms),
    terms.enrollment === 'everyone' ? 'Every partner can earn.' : 'Only enrolled partners can earn.',
    approval(terms),
    ...checks(terms.holds, reader),
  ];
}

/**
 * Returns the terms for a reader. A collaborator's custom rate replaces the program's reward, its tiers and its renewal
 * rewards.
 */
function termsFor(reader: ProgramReader, terms: ProgramTerms): ProgramTerms {
  if (reader.kind === 'merchant') return terms;
  const own = terms.collaboratorRewards.find(({ collaboratorId }) => collaboratorId === reader.id);
  return own === undefined ? { ...terms, collaboratorRewards: [] } : withCustomRate(terms, own.reward);
}

function status({ status: now }: ProgramTerms): string[] {
  return now === 'active' ? [] : [STATUS[now]];
}

const STATUS = {
  draft: 'It is a draft and pays nothing until it is active.',
  inactive: 'It is inactive and pays nothing new.',
  deleted: 'It is deleted and pays nothing new.',
} as const;

function reward(terms: ProgramTerms, earns: string): string[] {
  const each = EACH[terms.reward.type];
  return [`${earns} ${worth(terms.reward, terms.currency)} ${each(terms)}.`];
}

/** The base of a reward as text. If it is computed from lines, the text lists the counted lines. */
const EACH: Readonly<Record<Reward['type'], (terms: ProgramTerms) => string>> = {
  percent: (terms) => `of each ${kinds(terms)}: of ${lines(terms.countedLines)}`,
  'per-sale': (terms) => `for each ${kinds(terms)}`,
  'per-product': (terms) =>
    `for each unit in a ${kinds(terms)}: of ${lines(terms.countedLines.filter((line) => line !== 'discount'))}`,
  'per-lead': () => 'for each lead',
};

/** Returns the value of a reward as text, such as `15%` or `5.00 USD`. */
function worth(paid: Reward, code: string): string {
  return paid.type === 'percent' ? formatPercent(paid.ratePpm / 10_000) : money(paid.amount, code);
}

/** Returns the value of a reward with its unit as text, such as `15%` or `5.00 USD a sale`. */
function alone(paid: Reward, code: string): string {
  return `${worth(paid, code)}${UNIT[paid.type]}`;
}

const UNIT: Readonly<Record<Reward['type'], string>> = {
  percent: '',
  'per-sale': ' a sale',
  'per-product': ' a unit',
  'per-lead': ' a lead',
};

/** Returns the kinds of events that a program pays for: `sale or renewal`. */
function kinds({ pays }: ProgramTerms): string {
  return pays.join(' or ');
}

/** Returns `lead` or `sale`, for a sentence that can name only one kind of event. */
function noun({ pays }: ProgramTerms): PayableKind {
  return pays.includes('lead') ? 'lead' : 'sale';
}

/** Returns a list of line types: `products and shipping, less discounts`. */
function lines(counted: readonly LineType[]): string {
  const added = counted.filter((line) => line !== 'discount').map((line) => LINES[line]);
  if (added.length === 0) return counted.length === 0 ? 'nothing' : LINES.discount;
  return `${listed(added)}${counted.includes('discount') ? ', less discounts' : ''}`;
}

const LINES: Readonly<Record<LineType, string>> = {
  product: 'products',
  shipping: 'shipping',
  tax: 'taxes',
  fee: 'fees',
  discount: 'discounts',
};

/**
 * Returns sentences about the rewards of individual collaborators. Lists up to MAX_LISTED collaborators with known
 * names, and counts the others.
 */
function ownRewards(
  { collaboratorRewards, currency: code }: ProgramTerms,
  names: ReadonlyMap<CollaboratorId, string>,
): string[] {
  if (collaboratorRewards.length === 0) return [];
  const named = collaboratorRewards.flatMap((own) => {
    const name = names.get(own.collaboratorId);
    return name === undefined ? [] : [`${name} ${alone(own.reward, code)}`];
  });
  const shown = named.slice(0, MAX_LISTED);
  const others = collaboratorRewards.length - shown.length;
  return [
    ...(shown.length === 0 ? [] : [`Custom rates: ${shown.join('; ')}.`]),
    ...(others === 0
      ? []
      : [
          `${count(others, `${shown.length === 0 ? '' : 'more '}partner`)} ${others === 1 ? 'has a custom rate' : 'have custom rates'}.`,
        ]),
  ];
}

/** The maximum number of collaborators or line matchers in a list. The others are only counted. */
const MAX_LISTED = 5;

function tiers({ tiers: steps, currency: code }: ProgramTerms): string[] {
  return (steps?.steps ?? []).map(({ from, reward: paid }) => {
    const { by, period } = steps as NonNullable<ProgramTerms['tiers']>;
    const reached = by === 'sum' ? `${money(from as Minor, code)} earned` : count(Number(from), 'commission');
    return `After ${reached} ${SPAN[period]}, the reward is ${alone(paid, code)} from then on.`;
  });
}

const SPAN: Readonly<Record<Period, string>> = {
  day: 'in a day',
  week: 'in a week',
  month: 'in a calendar month',
  quarter: 'in a quarter',
  year: 'in a calendar year',
  lifetime: 'in all',
};

function filter(lineFilter: LineFilter | null): string[] {
  if (lineFilter === null) return [];
  const { include, exclude } = lineFilter;
  return [
    ...(include.length === 0 ? [] : [`Only these lines count: ${matchers(include)}.`]),
    ...(exclude.length === 0 ? [] : [`These lines never count: ${matchers(exclude)}.`]),
  ];
}

function matchers(all: readonly LineMatcher[]): string {
  return firstOf(all.map(matched), MAX_LISTED);
}

function matched(matcher: LineMatcher): string {
  if (matcher.by === 'externalId') return `the item “${shortened(matcher.value)}”`;
  if (matcher.by === 'type') return LINES[matcher.type];
  return `items named${matcher.pattern.includes('*') ? ' like' : ''} “${shortened(matcher.pattern)}”`;
}

/** Visitors of a portal load the summaries of all its programs, so long names are cut. */
function shortened(name: string): string {
  return name.length > MAX_NAME_LISTED ? `${name.slice(0, MAX_NAME_LISTED)}…` : name;
}

function limits(terms: ProgramTerms, { kind }: ProgramReader): string[] {
  const { capPerOrder, capPerPeriod, minimumOrder, currency: code } = terms;
  const each = kind === 'merchant' ? 'Each partner earns' : 'You earn';
  const isOfLeads = terms.pays.includes('lead');
  return [
    ...(minimumOrder === null || isOfLeads
      ? []
      : [`The total must be ${money(minimumOrder, code)} or more, including shipping.`]),
    ...(capPerOrder === null
      ? []
      : [`One ${noun(terms)} pays ${money(capPerOrder, code)} at most, for all partners together.`]),
    ...(capPerPeriod === null
      ? []
      : [`${each} ${money(capPerPeriod.amount, code)} at most ${SPAN[capPerPeriod.period]}.`]),
  ];
}

/** Returns sentences about the currency, or none for leads, which have no currency. */
function currency(terms: ProgramTerms): string[] {
  const { reward: paid, tiers: steps, collaboratorRewards, renewalRewards, currency: code } = terms;
  if (paid.type === 'per-lead') return [];
  if (countsItsCurrency(terms, { terms: 'program', reward: paid })) return [`Only sales in ${code} count.`];
  const others = [...(steps?.steps ?? []), ...collaboratorRewards, ...renewalRewards].map(
    ({ reward: other }) => other.type,
  );
  return others.every((type) => type === 'percent')
    ? ['It is paid in the currency of the sale.']
    : [`A percentage is paid in the currency of the sale. Fixed amounts are paid only for sales in ${code}.`];
}

/** Returns the sentence about touches. Mentions points only if they affect the credit. */
function touches({ triggers, attribution }: ProgramTerms, reader: ProgramReader): string {
  const points = Object.entries(triggers).map(([trigger, each]) => [trigger, each ?? 0] as const);
  if (points.length === 0) return 'It has no triggers. It only pays manual credits.';
  const whose = reader.kind === 'merchant' ? 'a partner’s' : 'your';
  const hasPoints = attribution === 'weighted' || attribution === 'top-score';
  const touches = points.map(([trigger, each]) =>
    hasPoints ? `${touch(trigger, whose)} (${count(each, 'point')})` : touch(trigger, whose),
  );
  return `It counts ${firstOf(touches, MAX_TRIGGERS_LISTED)}.`;
}

/** The maximum number of triggers in a summary. Visitors of a portal load the summaries of all its programs. */
const MAX_TRIGGERS_LISTED = 20;
/** The maximum length of an item’s id or name in a summary, in characters. */
const MAX_NAME_LISTED = 80;

function touch(trigger: Trigger, whose: string): string {
  if (trigger === SITE_VISIT) return `clicks on ${whose} link`;
  return trigger === COUPON_APPLIED ? `uses of ${whose} coupon` : `the event “${trigger}”`;
}

const ATTRIBUTION: Readonly<Record<AttributionModel, string>> = {
  'last-touch': 'If several partners referred the same buyer, the most recent one gets the credit.',
  'first-touch': 'If several partners referred the same buyer, the first one gets the credit.',
  'top-score': 'If several partners referred the same buyer, the one with the most points gets the credit.',
  linear: 'If several partners referred the same buyer, they share in equal parts.',
  weighted: 'If several partners referred the same buyer, they share in proportion to their points.',
};

function credits(terms: ProgramTerms): string[] {
  if (terms.creditsPer === 'sale') {
    return terms.pays.includes('sale') ? ['Every sale to the buyer in that time counts, not only the first.'] : [];
  }
  return [`A buyer’s first ${noun(terms)} counts. A later one counts only after the buyer was referred again.`];
}

function renewals(terms: ProgramTerms): string[] {
  if (!terms.pays.includes('renewal')) return [];
  return [renewalLimits(terms), ...renewalRewards(terms)];
}

function renewalRewards({ renewalRewards: steps, currency: code }: ProgramTerms): string[] {
  return steps.map(({ afterMonths, reward: paid }) => {
    const pays = `renewal pays ${paid.type === 'per-sale' ? worth(paid, code) : alone(paid, code)}.`;
    return afterMonths === 0 ? `A ${pays}` : `From ${count(afterMonths, 'month')} after the first sale, a ${pays}`;
  });
}

function renewalLimits({ renewalLimit }: ProgramTerms): string {
  if (renewalLimit === null) return 'All renewals are paid, to the partners who earned on the first sale.';
  const { months, times } = renewalLimit;
  const paid = times === null ? 'Renewals are' : `At most ${count(times, 'renewal')} ${times === 1 ? 'is' : 'are'}`;
  return months === null
    ? `${paid} paid, to the partners who earned on the first sale.`
    : `${paid} paid for ${count(months, 'month')} after the first sale, to the partners who earned on that sale.`;
}

function approval(terms: ProgramTerms): string {
  if (terms.autoApprove) return 'Commissions are approved at once.';
  if (terms.approveAfterDays === null) return 'Commissions wait until a person approves them.';
  return `Commissions are approved ${count(terms.approveAfterDays, 'day')} after the ${noun(terms)}, unless a person rejects them first.`;
}

/**
 * Returns sentences about fraud checks. Only the merchant sees the limits, because collaborators who know a limit could
 * avoid it.
 */
function checks(holds: Holds | null, { kind }: ProgramReader): string[] {
  if (holds === null) return [];
  if (kind === 'collaborator')
    return canHoldConversions(holds) ? ['A person reviews unusual commissions before they are approved.'] : [];
  const { visitsFromAddress, visitsOfCollaborator, ownCoupon, secondsToSale, adReferrers, buyerDetails } = holds;
  const fraudSignals = [
    ...(visitsFromAddress === null
      ? []
      : [`more than ${count(visitsFromAddress, 'click')} from one address in an hour`]),
    ...(visitsOfCollaborator === null
      ? []
      : [`more than ${count(visitsOfCollaborator, 'click')} by one partner in an hour`]),
    ...(ownCoupon ? ['a coupon used by its owner'] : []),
    ...(secondsToSale === null ? [] : [`less than ${count(secondsToSale, 'second')} from the first touch`]),
    ...(adReferrers.length === 0 ? [] : [`clicks from ${firstOf(adReferrers, MAX_LISTED)}`]),
    ...(buyerDetails.length === 0
      ? []
      : [
          `a buyer with the partner’s ${listed(
            buyerDetails.map((detail) => DETAILS[detail]),
            'or',
          )}`,
        ]),
  ];
  return [
    ...(fraudSignals.length === 0 ? [] : [`Held for review: ${fraudSignals.join('; ')}.`]),
    ...partnerLimits(holds),
  ];
}

/**
 * Returns a list with a sentence about the limits for a partner's results. The list is empty if there are no limits.
 */
function partnerLimits({ minConversionRate, maxConversionRate, maxRefundRate }: Holds): string[] {
  const limits = [
    ...(minConversionRate === null ? [] : [`a conversion rate below ${formatPercent(minConversionRate)}`]),
    ...(maxConversionRate === null ? [] : [`a conversion rate above ${formatPercent(maxConversionRate)}`]),
    ...(maxRefundRate === null ? [] : [`refunds above ${formatPercent(maxRefundRate)} of the revenue`]),
  ];
  return limits.length === 0 ? [] : [`Partners to look at: ${limits.join('; ')}.`];
}

const DETAILS: Readonly<Record<BuyerDetail, string>> = {
  email: 'email address',
  name: 'name',
  card: 'card',
  address: 'delivery address',
};

/** Returns the first `most` parts, and the number of the others. */
function firstOf(parts: readonly string[], most: number): string {
  const others = parts.length - most;
  return others > 0 ? `${parts.slice(0, most).join(', ')} and ${others} more` : listed(parts);
}

/** Joins parts of a sentence: `a`, `a and b`, `a, b and c`. */
function listed(parts: readonly string[], word = 'and'): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}

function money(amount: Minor, code: string): string {
  return `${formatMajor(amount)} ${code}`;
}
