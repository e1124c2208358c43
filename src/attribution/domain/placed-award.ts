import type { EventId, Seq } from '#core/ids.ts';

/**
 * An award with its position in the order of events, and its rejection. If a reversal or a correction has ended a
 * rejection, that past rejection is a separate `PlacedAward` with the negative amount and the count −1. It counts from
 * the start of the rejection to its end.
 */
export type PlacedAward = {
  readonly amount: bigint;
  readonly count: 1 | -1;
  /** The event of the report or manual credit that the award is for. */
  readonly eventId: EventId;
  readonly seq: Seq;
  /** The position of the award's rejection by a refund, a correction or a person. Null if the award is not rejected. */
  readonly rejection: { readonly eventId: EventId; readonly seq: Seq } | null;
  /**
   * The event of the full refund of the award's sale, even if that refund is still being processed. Null if there is
   * none.
   */
  readonly refundedBy: EventId | null;
};

/** The position of a decision: its event, and its number in the decision sequence. */
export type Sight = { readonly eventId: EventId; readonly seq: Seq };

/**
 * Returns whether an award counts for the caps and tiers of a decision. It counts if it was made for an earlier event
 * and decided earlier, and was not rejected before the decision's event. A full refund counts as a rejection from the
 * time when it was reported. Other rejections count only once they are processed.
 */
export function isCountedAt({ eventId, seq, rejection, refundedBy }: PlacedAward, sight: Sight): boolean {
  if (eventId >= sight.eventId || seq >= sight.seq) return false;
  if (refundedBy !== null && refundedBy < sight.eventId) return false;
  return rejection === null || rejection.eventId >= sight.eventId || rejection.seq >= sight.seq;
}
