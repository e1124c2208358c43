import type { Minor } from '#core/money.ts';
import type { PlatformUserId } from '#core/user.ts';
import type { Line } from '#programs/domain/line.ts';

/*
 * What a connector reports to the core: the verbs of the API, with amounts in hundredths. A connector converts the
 * amounts of its sender, since senders differ in what they call the smallest unit.
 */

/** The name of a sale or renewal. It is never reused for another order. */
export type OrderName = { readonly source: string; readonly externalId: string };

/** What an order says about its referral. The first of these that leads to an opportunity counts, in this order. */
export type Referral = {
  /** Texts that may be public numbers of opportunities. Anything else is skipped. */
  readonly trackingIds: readonly string[];
  /** Texts that may be coupon codes of partners. A code that belongs to nobody is skipped. */
  readonly couponCodes: readonly string[];
  /** An earlier order of the same customer, whose opportunity this order shares. */
  readonly sameCustomerAs: OrderName | null;
  /** The buyer's user id in the merchant's platform. */
  readonly userId: PlatformUserId | null;
};

export type SaleReport = OrderName & {
  readonly verb: 'sale';
  readonly referral: Referral;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly total: Minor;
  /** At least one line. */
  readonly lines: readonly Line[];
  readonly occurredAt: Date;
};

export type RenewalReport = OrderName & {
  readonly verb: 'renewal';
  /** The sale that is renewed. */
  readonly sale: OrderName;
  readonly currency: string;
  readonly total: Minor;
  readonly lines: readonly Line[];
  readonly occurredAt: Date;
};

/** A refund of a sale or renewal. `refundId` makes a repeated report harmless, and can be reversed. */
export type RefundReport = OrderName & {
  readonly verb: 'refund';
  readonly refundId: string;
  readonly given:
    | { readonly kind: 'full' }
    /** With `isUpTo`, an amount above what is left counts as what is left. */
    | { readonly kind: 'amount'; readonly amount: Minor; readonly isUpTo: boolean }
    | { readonly kind: 'items'; readonly items: readonly { readonly externalId: string; readonly quantity: number }[] };
  readonly occurredAt: Date;
};

/** Takes a refund back: it failed, or a dispute was won. */
export type RefundReversalReport = OrderName & {
  readonly verb: 'refund-reversal';
  readonly refundId: string;
  readonly occurredAt: Date;
};

/** Replaces the total and lines of a sale as a whole. */
export type SaleCorrectionReport = OrderName & {
  readonly verb: 'sale-correction';
  readonly correctionId: string;
  readonly total: Minor;
  readonly lines: readonly Line[];
  readonly occurredAt: Date;
};

export type Report = SaleReport | RenewalReport | RefundReport | RefundReversalReport | SaleCorrectionReport;

/** What came of one report. It is kept with the event. */
export type ReportOutcome = OrderName & {
  readonly verb: Report['verb'];
  readonly refundId?: string;
  readonly outcome: 'recorded' | 'repeated';
  /** For a sale: what supplied its opportunity. */
  readonly referral?: 'tracking-id' | 'coupon' | 'customer' | 'user' | 'none';
  /** For a sale: whether it has an opportunity. */
  readonly isAttributed?: boolean;
};
