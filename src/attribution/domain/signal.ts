import type { HoldReason, Holds } from '#programs/domain/hold.ts';
import type { ExplainedHold } from './explanation.ts';

/**
 * A fraud signal of a conversion with its measured values. `value` is the measured number, and `limit` the program's
 * limit: visits within an hour, or seconds from the first touch to the sale. Both are absent for signals without a
 * number. They are also absent for a renewal, because its sale has the numbers. `matches` are the referring hosts of
 * the visits, the details that the buyer shares with the collaborator, or the matching values of the deny list.
 */
export type SignalFacts = {
  readonly reason: HoldReason;
  readonly value?: number;
  readonly limit?: number;
  readonly matches?: readonly string[];
};

/**
 * Returns the fraud signals of a conversion with the values that its decision measured, in the order of `reasons`.
 * `holds` are the fraud settings of the program version of the decision. `hold` is null if the explanation doesn't list
 * the conversion.
 */
export function signalFacts(
  reasons: readonly HoldReason[],
  hold: ExplainedHold | null,
  holds: Holds | null,
): SignalFacts[] {
  return reasons.map((reason) => {
    const matches = MATCHES[reason]?.(hold);
    return {
      reason,
      ...measured(VALUES[reason]?.(hold), THRESHOLDS[reason]?.(holds)),
      ...(matches !== undefined && { matches }),
    };
  });
}

const VALUES: Readonly<Partial<Record<HoldReason, (hold: ExplainedHold | null) => number | undefined>>> = {
  'visits-from-address': (hold) => hold?.nthFromAddress,
  'visits-of-collaborator': (hold) => hold?.nthOfCollaborator,
  'quick-sale': (hold) => hold?.secondsToSale,
};

const THRESHOLDS: Readonly<Partial<Record<HoldReason, (holds: Holds | null) => number | null | undefined>>> = {
  'visits-from-address': (holds) => holds?.visitsFromAddress,
  'visits-of-collaborator': (holds) => holds?.visitsOfCollaborator,
  'quick-sale': (holds) => holds?.secondsToSale,
};

const MATCHES: Readonly<Partial<Record<HoldReason, (hold: ExplainedHold | null) => readonly string[] | undefined>>> = {
  'ad-referrer': (hold) => hold?.referrers,
  'buyer-details': (hold) => hold?.buyerDetails,
  'deny-list': (hold) => hold?.deniedBy?.map(({ value }) => value),
};

function measured(value: number | undefined, limit: number | null | undefined): Omit<SignalFacts, 'reason'> {
  return value === undefined || limit == null ? {} : { value, limit };
}
