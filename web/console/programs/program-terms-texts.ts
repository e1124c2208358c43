import type { Program } from '@whence/sdk';
import { formatMoney } from '#web/ui/formats/money.ts';
import { rewardText } from './rewards-texts.ts';

/** The name of a term that users can edit. */
export type TermName = Exclude<keyof Program, 'id' | 'version' | 'createdAt' | 'updatedAt'>;
export type Terms = Pick<Program, TermName>;

/** The terms in display order. */
export const TERM_NAMES = [
  'name',
  'description',
  'status',
  'reward',
  'currency',
  'attribution',
  'windowDays',
  'autoApprove',
  'approveAfterDays',
  'holds',
  'enrollment',
  'pays',
  'renewals',
  'renewalRewards',
  'creditsPer',
  'countedLines',
  'lineFilter',
  'minimumOrder',
  'capPerOrder',
  'capPerPeriod',
  'tiers',
  'collaboratorRewards',
  'triggers',
  'groupId',
] as const satisfies readonly TermName[];

export const programTerms = {
  labels: {
    name: 'Name',
    description: 'Description',
    status: 'Status',
    reward: 'Reward',
    currency: 'Currency',
    attribution: 'Who gets the credit',
    windowDays: 'Window',
    autoApprove: 'Approved at once',
    approveAfterDays: 'Approved after',
    holds: 'Fraud signals',
    enrollment: 'Who can join',
    pays: 'Pays for',
    renewals: 'Renewals',
    renewalRewards: 'Renewal rewards',
    creditsPer: 'Credits',
    countedLines: 'Lines that count',
    lineFilter: 'Line filter',
    minimumOrder: 'Minimum order',
    capPerOrder: 'Cap per order',
    capPerPeriod: 'Cap per period',
    tiers: 'Tiers',
    collaboratorRewards: 'Custom rates',
    triggers: 'Triggers',
    groupId: 'Group',
  } satisfies Record<TermName, string>,
  none: 'none',
  statuses: { draft: 'Draft', active: 'Active', inactive: 'Inactive', deleted: 'Deleted' } as Readonly<
    Record<string, string>
  >,
  attributions: {
    'last-touch': 'Last touch',
    'first-touch': 'First touch',
    'top-score': 'Most points',
    linear: 'Shared in equal parts',
    weighted: 'Shared by points',
  } satisfies Record<Program['attribution'], string>,
  enrollments: { everyone: 'Everyone', selected: 'Enrolled partners only' } satisfies Record<
    Program['enrollment'],
    string
  >,
  credits: { sale: 'Every sale', opportunity: 'Once per visitor' } satisfies Record<Program['creditsPer'], string>,
  kinds: { sale: 'Sales', renewal: 'Renewals', lead: 'Leads' } satisfies Record<Program['pays'][number], string>,
  lines: {
    product: 'Products',
    shipping: 'Shipping',
    tax: 'Taxes',
    fee: 'Fees',
    discount: 'Discounts',
  } satisfies Record<Program['countedLines'][number], string>,
  periods: {
    day: 'a day',
    week: 'a week',
    month: 'a month',
    quarter: 'a quarter',
    year: 'a year',
    lifetime: 'in all',
  } as Readonly<Record<string, string>>,
  days: (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`,
  age: (months: number) => (months === 0 ? 'all renewals' : `from ${months} ${months === 1 ? 'month' : 'months'}`),
  yes: 'Yes',
  no: 'No',
  trigger: (name: string) => TRIGGERS[name] ?? `Event “${name}”`,
  group: (id: number) => `Group ${id}`,
};

const TRIGGERS: Readonly<Record<string, string>> = { 'site-visit': 'Clicks', 'coupon-applied': 'Coupons' };

/** Returns a short text for a term's value. `nameOf` returns the name of a partner. */
export function termText(term: TermName, terms: Terms, nameOf: (collaboratorId: number) => string): string {
  const { currency } = terms;
  const words = programTerms;
  const money = (amount: number | null) => (amount === null ? words.none : formatMoney(amount, currency));
  switch (term) {
    case 'name':
    case 'currency':
      return terms[term];
    case 'description':
      return terms.description ?? words.none;
    case 'status':
      return words.statuses[terms.status] ?? terms.status;
    case 'reward':
      return rewardText(terms.reward, currency);
    case 'attribution':
      return words.attributions[terms.attribution];
    case 'windowDays':
      return words.days(terms.windowDays);
    case 'autoApprove':
      return terms.autoApprove ? words.yes : words.no;
    case 'approveAfterDays':
      return terms.approveAfterDays === null ? words.none : words.days(terms.approveAfterDays);
    case 'holds':
      return holdsText(terms.holds);
    case 'enrollment':
      return words.enrollments[terms.enrollment];
    case 'pays':
      return terms.pays.map((kind) => words.kinds[kind]).join(', ');
    case 'renewals':
      return renewalsText(terms.renewals);
    case 'renewalRewards':
      return terms.renewalRewards.length === 0
        ? words.none
        : terms.renewalRewards
            .map(({ afterMonths, reward }) => `${words.age(afterMonths)}: ${rewardText(reward, currency)}`)
            .join('; ');
    case 'creditsPer':
      return words.credits[terms.creditsPer];
    case 'countedLines':
      return terms.countedLines.map((line) => words.lines[line]).join(', ');
    case 'lineFilter':
      return filterText(terms.lineFilter);
    case 'minimumOrder':
      return money(terms.minimumOrder);
    case 'capPerOrder':
      return money(terms.capPerOrder);
    case 'capPerPeriod':
      return terms.capPerPeriod === null
        ? words.none
        : `${money(terms.capPerPeriod.amount)} ${words.periods[terms.capPerPeriod.period] ?? ''}`;
    case 'tiers':
      return tiersText(terms);
    case 'collaboratorRewards':
      return terms.collaboratorRewards.length === 0
        ? words.none
        : terms.collaboratorRewards
            .map(({ collaboratorId, reward }) => `${nameOf(collaboratorId)}: ${rewardText(reward, currency)}`)
            .join('; ');
    case 'triggers':
      return Object.entries(terms.triggers)
        .map(([name, points]) => `${words.trigger(name)} (${points})`)
        .join(', ');
    case 'groupId':
      return terms.groupId === null ? words.none : words.group(terms.groupId);
    default:
      return term satisfies never;
  }
}

function holdsText(holds: Terms['holds']): string {
  if (holds === null) return programTerms.none;
  const { visitsFromAddress, visitsOfCollaborator, ownCoupon, secondsToSale, adReferrers, buyerDetails } = holds;
  const { minConversionRate, maxConversionRate, maxRefundRate } = holds;
  return [
    ...(visitsFromAddress === null ? [] : [`more than ${visitsFromAddress} clicks an hour from an address`]),
    ...(visitsOfCollaborator === null ? [] : [`more than ${visitsOfCollaborator} clicks an hour of a partner`]),
    ...(ownCoupon ? ['own coupons'] : []),
    ...(secondsToSale === null ? [] : [`sold within ${secondsToSale} s`]),
    ...(adReferrers.length === 0 ? [] : [`clicks from ${adReferrers.join(', ')}`]),
    ...(buyerDetails.length === 0 ? [] : [`buyer’s ${buyerDetails.join(', ')}`]),
    ...(minConversionRate === null ? [] : [`conversion rate under ${minConversionRate}%`]),
    ...(maxConversionRate === null ? [] : [`conversion rate over ${maxConversionRate}%`]),
    ...(maxRefundRate === null ? [] : [`refunds over ${maxRefundRate}%`]),
  ].join(', ');
}

function renewalsText(renewals: Terms['renewals']): string {
  if (renewals === null) return 'always';
  const { months, times } = renewals;
  return [
    ...(months === null ? [] : [`for ${months} ${months === 1 ? 'month' : 'months'}`]),
    ...(times === null ? [] : [`${times} at most`]),
  ].join(', ');
}

function filterText(filter: Terms['lineFilter']): string {
  if (filter === null) return programTerms.none;
  const named = (matcher: object) => Object.values(matcher).join('');
  const { include, exclude } = filter;
  return [
    ...(include.length === 0 ? [] : [`only ${include.map(named).join(', ')}`]),
    ...(exclude.length === 0 ? [] : [`not ${exclude.map(named).join(', ')}`]),
  ].join('; ');
}

function tiersText({ tiers, currency }: Terms): string {
  if (tiers === null) return programTerms.none;
  const steps = tiers.steps.map(({ from, reward }) => {
    const begins = tiers.by === 'sum' ? formatMoney(from, currency) : String(from);
    return `from ${begins} ${rewardText(reward, currency)}`;
  });
  return `${programTerms.periods[tiers.period] ?? ''}: ${steps.join('; ')}`;
}
