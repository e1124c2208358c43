import type { JsonObject } from '../connector.ts';

/** Other services whose fields may still contain the tracking id in a checkout. */
export const FOREIGN_CARRIERS = ['dub', 'tolt', 'rewardful'] as const;
export type ForeignCarrier = (typeof FOREIGN_CARRIERS)[number];

export const DISPUTE_MOMENTS = ['opened', 'lost'] as const;

export type StripeSettings = {
  readonly carriers: readonly ForeignCarrier[];
  /** When a dispute reverses commissions: when it is opened, or only when it is lost. */
  readonly reverseDisputes: (typeof DISPUTE_MOMENTS)[number];
  /** How long an invoice without a tracking id waits for its Checkout Session, in hours. */
  readonly awaitCheckoutHours: number;
};

/**
 * The default settings. Stripe retries a message for up to three days, so a session that hasn't arrived by then is
 * lost.
 */
export const DEFAULT_SETTINGS: StripeSettings = {
  carriers: [],
  reverseDisputes: 'opened',
  awaitCheckoutHours: 72,
};

export function stripeSettings(stored: JsonObject): StripeSettings {
  return { ...DEFAULT_SETTINGS, ...(stored as Partial<StripeSettings>) };
}
