import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import type { Holds } from '#programs/domain/hold.ts';

/** The fraud signals about a collaborator: three about results, and one about their sign-up. */
export const COLLABORATOR_SIGNALS = [
  'low-conversion-rate',
  'high-conversion-rate',
  'high-refund-rate',
  'sign-ups-from-network',
] as const;
export type CollaboratorSignalReason = (typeof COLLABORATOR_SIGNALS)[number];

/**
 * The minimum number of visits for a conversion rate to be compared. With fewer visits, a single sale changes the rate
 * too much.
 */
export const ENOUGH_VISITS = 100;
/** The minimum number of sales and renewals for a refund rate to be compared. */
export const ENOUGH_SALES = 10;
/** The number of days, including today, over which results are compared with the limits. */
export const COMPARED_DAYS = 30;

/** The results of a collaborator in a program. */
export type CollaboratorResults = {
  readonly visits: number;
  readonly sales: number;
  readonly renewals: number;
  readonly leads: number;
  readonly amounts: readonly { readonly revenue: bigint; readonly refunded: bigint }[];
};

/**
 * A value of a collaborator that causes a fraud signal, and the limit of the program. Both numbers are percentages, or
 * numbers of applicants for `sign-ups-from-network`.
 */
export type CollaboratorSignal = {
  readonly reason: CollaboratorSignalReason;
  readonly value: number;
  readonly limit: number;
};

export type CollaboratorSignalOf = CollaboratorSignal & {
  readonly collaboratorId: CollaboratorId;
  readonly collaboratorName: string;
  readonly programId: ProgramId;
  readonly programName: string;
  /** The other collaborators who applied from the same network. Empty for fraud signals about results. */
  readonly collaborators: readonly { readonly id: CollaboratorId; readonly name: string }[];
};

/** The limits of a program for the results of its collaborators. */
export type ResultLimits = Pick<Holds, 'minConversionRate' | 'maxConversionRate' | 'maxRefundRate'>;

/** Returns whether a program has a limit for the results of its collaborators. */
export function hasResultLimits({ minConversionRate, maxConversionRate, maxRefundRate }: ResultLimits): boolean {
  return minConversionRate !== null || maxConversionRate !== null || maxRefundRate !== null;
}

/**
 * Returns the results of a collaborator that are beyond the limits. The conversion rate is sales and leads per visit.
 * The refund rate is the refunded amount divided by the revenue, in the currency with the highest rate. A refund counts
 * on its own day, so its sale can be from before the compared days.
 */
export function collaboratorSignals(results: CollaboratorResults, limits: ResultLimits): CollaboratorSignal[] {
  const { minConversionRate, maxConversionRate, maxRefundRate } = limits;
  const conversionRate =
    results.visits < ENOUGH_VISITS ? null : percentage(results.sales + results.leads, results.visits);
  const refundRate = results.sales + results.renewals < ENOUGH_SALES ? null : refundRateOf(results);
  return [
    ...(conversionRate !== null && minConversionRate !== null && conversionRate < minConversionRate
      ? [{ reason: 'low-conversion-rate' as const, value: conversionRate, limit: minConversionRate }]
      : []),
    ...(conversionRate !== null && maxConversionRate !== null && conversionRate > maxConversionRate
      ? [{ reason: 'high-conversion-rate' as const, value: conversionRate, limit: maxConversionRate }]
      : []),
    ...(refundRate !== null && maxRefundRate !== null && refundRate > maxRefundRate
      ? [{ reason: 'high-refund-rate' as const, value: refundRate, limit: maxRefundRate }]
      : []),
  ];
}

function refundRateOf({ amounts }: CollaboratorResults): number | null {
  const rates = amounts
    .filter(({ revenue }) => revenue > 0n)
    .map(({ revenue, refunded }) => percentage(Number(refunded), Number(revenue)));
  return rates.length === 0 ? null : Math.max(...rates);
}

/** Returns `part` as a percentage of `whole`, rounded to two decimals. */
function percentage(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100;
}
