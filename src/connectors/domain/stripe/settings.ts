import type { JsonObject } from '../connector.ts';

/** Services whose fields a checkout may still use for the tracking id. */
export const FOREIGN_CARRIERS = ['dub', 'tolt', 'rewardful'] as const;
export type ForeignCarrier = (typeof FOREIGN_CARRIERS)[number];

export const DISPUTE_MOMENTS = ['opened', 'lost'] as const;

export type StripeSettings = {
  readonly carriers: readonly ForeignCarrier[];
  /** Whether a dispute reverses commissions when it is opened, or only when it is lost. */
  readonly reverseDisputes: (typeof DISPUTE_MOMENTS)[number];
  /** How many hours an invoice without a referral of its own waits for its Checkout Session. */
  readonly awaitCheckoutHours: number;
};

/** Stripe repeats a message for up to three days, so a session that comes later has been lost. */
export const DEFAULT_SETTINGS: StripeSettings = {
  carriers: [],
  reverseDisputes: 'opened',
  awaitCheckoutHours: 72,
};

export function stripeSettings(stored: JsonObject): StripeSettings {
  return { ...DEFAULT_SETTINGS, ...(stored as Partial<StripeSettings>) };
}
