import type { EventId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { type FlagReason, type Owed, type OwedChange, settle } from '#ledger/domain/obligation.ts';
import { isAllGone, type RefundedSale, type RefundHistory, withoutReversed } from '#sales/domain/refund.ts';
import { type Period, rejectionsOf, type Rejection, type Share, worthNow } from '#sales/domain/worth.ts';

/** A conversion of the sale, with the amounts owed for it. */
export type StandingConversion = Share & {
  readonly amount: Minor;
  /**
   * The report or manual credit for which the conversion was awarded. Null for some conversions from earlier releases.
   */
  readonly eventId: EventId | null;
  /** The event that rejected the conversion, or null if it is not rejected. */
  readonly rejectedBy: EventId | null;
  /** The position among the events at which a person rejected the conversion, or null if no person did. */
  readonly rejectedByPersonAt: EventId | null;
  readonly owed: Owed;
};

/** The changes of a conversion and its obligations after refunds, reversals and corrections. */
export type Revision = {
  /** The change of the conversion, or null for no change. */
  readonly conversion:
    | { readonly kind: 'revalued' | 'restored'; readonly amount: Minor }
    /**
     * Corrects the recorded start of a person's rejection to `by`. `by` is an earlier refund or correction that had
     * rejected the conversion, or else the position of the person's rejection.
     */
    | { readonly kind: 'moved'; readonly by: EventId }
    /** `by` is the refund or correction that reduced the worth to 0. */
    | { readonly kind: 'rejected'; readonly amount: Minor; readonly by: EventId; readonly reason: LossReason }
    | null;
  /** Past rejections of the conversion. A reversal or a correction ended each of them. */
  readonly past: readonly PastRejection[];
  readonly owed: readonly OwedChange[];
};

export type LossReason = 'refunded' | 'corrected';

export type PastRejection = { readonly by: EventId; readonly restoredBy: EventId };

/**
 * Returns the changes of a conversion and its obligations after refunds, reversals and corrections. A conversion whose
 * worth is 0 is rejected. Its record keeps its last amount above 0. A conversion whose worth rises above 0 again is
 * restored.
 *
 * The result doesn't depend on when the reports are processed, and repeating it changes nothing. `periods` must be the
 * periods of `history` for the conversion's program.
 */
export function revise(history: RefundHistory, standing: StandingConversion, periods: readonly Period[]): Revision {
  const rejections = rejectionsOf(periods, standing);
  const past = pastOf(rejections, standing);
  if (standing.rejectedByPersonAt !== null) {
    return {
      conversion: correctRejectionStart(rejections, standing.rejectedByPersonAt, standing.rejectedBy),
      past,
      owed: [],
    };
  }
  const worth = worthNow(periods, standing);
  const owed = settle(standing.owed, worth, flagReason(withoutReversed(history)));
  const last = rejections.at(-1);
  if (last === undefined || last.restoredBy !== null) {
    const kind = standing.rejectedBy === null ? 'revalued' : 'restored';
    const isSame = kind === 'revalued' && worth === standing.amount;
    return { conversion: isSame ? null : { kind, amount: worth }, past, owed };
  }
  const { by } = last;
  // A manual credit that was made after the sale had lost its worth is rejected with its awarded amount.
  const amount = standing.eventId !== null && by < standing.eventId ? standing.awarded : last.amount;
  return {
    conversion: standing.rejectedBy === by ? null : { kind: 'rejected', amount, by, reason: lossReason(history, by) },
    past,
    owed:
      standing.owed.obligations.length > 1
        ? owed
        : owed.map((each) => (each.kind === 'rejected' && amount < each.amount ? { ...each, amount } : each)),
  };
}

function flagReason(sale: RefundedSale): FlagReason {
  if (isAllGone(sale)) return 'refunded';
  return sale.refunds.length > 0 ? 'partly-refunded' : 'corrected';
}

function lossReason({ corrections }: RefundHistory, by: EventId): LossReason {
  return corrections.some(({ correctedBy }) => correctedBy === by) ? 'corrected' : 'refunded';
}

/**
 * Returns the change that corrects the recorded start of a person's rejection, or null if the recorded start is
 * correct. `at` is the position of that rejection. If a refund or correction had already rejected the conversion by
 * then, the rejection starts at that refund or correction, otherwise at `at`. The recorded start can be wrong, because
 * the refund or its reversal may be processed after the person's rejection. Decisions on events between the two
 * positions depend on the start, because they don't count a rejected conversion.
 */
function correctRejectionStart(
  rejections: readonly Rejection[],
  at: EventId,
  rejectedBy: EventId | null,
): Revision['conversion'] {
  if (rejectedBy === null) return null;
  const earlier = rejections.find(({ by, restoredBy }) => by < at && (restoredBy === null || restoredBy > at));
  const by = earlier?.by ?? at;
  return by === rejectedBy ? null : { kind: 'moved', by };
}

/** Returns the past rejections of the conversion, between its award and its rejection by a person. */
function pastOf(rejections: readonly Rejection[], standing: StandingConversion): PastRejection[] {
  const { eventId: award, rejectedByPersonAt: end } = standing;
  return rejections.flatMap((rejection) => {
    const { restoredBy } = rejection;
    if (restoredBy === null || (end !== null && end < restoredBy)) return [];
    const by = award !== null && award > rejection.by ? award : rejection.by;
    return by < restoredBy ? [{ by, restoredBy }] : [];
  });
}
