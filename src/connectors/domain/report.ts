import type { Minor } from '#core/money.ts';
import type { PlatformUserId } from '#core/user.ts';
import type { Line } from '#programs/domain/line.ts';
import type { Buyer } from '#sales/domain/buyer.ts';

/*
 * The reports that a connector makes. Each report is of a kind that the API also has, but its amounts are in
 * hundredths. A connector converts the amounts of its sender, because senders have different smallest units.
 */

/**
 * The source and the external id of a sale or renewal. Together, they identify the sale or renewal, and are never
 * reused for another order.
 */
export type OrderName = { readonly source: string; readonly externalId: string };

/**
 * The data of an order that can identify its referral. The fields are tried in this order, until a field identifies an
 * opportunity.
 */
export type Referral = {
  /** Texts that may be public numbers of opportunities. All other texts are skipped. */
  readonly trackingIds: readonly string[];
  /** Texts that may be coupon codes of collaborators. Unknown codes are skipped. */
  readonly couponCodes: readonly string[];
  /** An earlier order of the same customer, whose opportunity this order shares. */
  readonly sameCustomerAs: OrderName | null;
  /** The buyer's user id in the merchant's platform. */
  readonly userId: PlatformUserId | null;
};

export type SaleReport = OrderName & {
  readonly verb: 'sale';
  readonly referral: Referral;
  /**
   * The buyer's details in the sender's message. They are compared with the details of collaborators, and not stored.
   */
  readonly buyer: Buyer;
  /** The ISO 4217 code, in upper case. */
  readonly currency: string;
  readonly total: Minor;
  /** The lines of the order, at least one. */
  readonly lines: readonly Line[];
  readonly occurredAt: Date;
};

export type RenewalReport = OrderName & {
  readonly verb: 'renewal';
  readonly sale: OrderName;
  readonly currency: string;
  readonly total: Minor;
  readonly lines: readonly Line[];
  readonly occurredAt: Date;
};

/** A refund of a sale or renewal. `refundId` identifies repeated reports, and is needed to reverse the refund. */
export type RefundReport = OrderName & {
  readonly verb: 'refund';
  readonly refundId: string;
  /** The currency of an amount, if the sender names it. It must be the currency of the order. */
  readonly currency?: string | undefined;
  readonly given:
    | { readonly kind: 'full' }
    /** If `isUpTo` is true, the refund is limited to the remaining amount. */
    | { readonly kind: 'amount'; readonly amount: Minor; readonly isUpTo: boolean }
    | { readonly kind: 'items'; readonly items: readonly { readonly externalId: string; readonly quantity: number }[] };
  readonly occurredAt: Date;
};

/** The reversal of a refund that failed, or of a dispute that was won. */
export type RefundReversalReport = OrderName & {
  readonly verb: 'refund-reversal';
  readonly refundId: string;
  readonly occurredAt: Date;
};

/** The correction of an edited sale or renewal. The amounts are in the currency of the sale or renewal. */
export type CorrectionReport = OrderName & {
  readonly verb: 'correction';
  readonly correctionId: string;
  readonly total: Minor;
  /** All lines of the edited order, at least one. */
  readonly lines: readonly Line[];
  readonly occurredAt: Date;
};

export type Report = SaleReport | RenewalReport | RefundReport | RefundReversalReport | CorrectionReport;

/** The outcome of a report, which is stored with the event. */
export type ReportOutcome = OrderName & {
  readonly verb: Report['verb'];
  readonly refundId?: string;
  readonly correctionId?: string;
  readonly outcome: 'recorded' | 'repeated';
  /** How a sale was matched to its opportunity. Set for sales only. */
  readonly referral?: 'tracking-id' | 'coupon' | 'customer' | 'user' | 'none';
  /** Whether a sale has an opportunity. Set for sales only. */
  readonly isAttributed?: boolean;
};
