/** How often a person gets the digest. */
export const DIGEST_FREQUENCIES = ['never', 'daily', 'weekly'] as const;

export type DigestFrequency = (typeof DIGEST_FREQUENCIES)[number];

/** The hour at which digests are sent, in the organization's time zone. Weekly digests are sent on Mondays. */
export const DIGEST_HOUR = 7;

/**
 * The maximum number of items of a kind that a digest counts. If the count reaches this number, the digest shows "1,000
 * or more".
 */
export const MAX_COUNTED = 1_000;

/** A digest day of an organization. It begins at DIGEST_HOUR. */
export type DigestDay = {
  /** The date, as YYYY-MM-DD. */
  readonly date: string;
  readonly startedAt: Date;
  /** The frequencies whose digests are sent on this day. */
  readonly frequencies: readonly DigestFrequency[];
};

/**
 * The kinds of items that a digest counts, in the order of the digest. All of these items need an action by a person.
 */
export const WAITING_KINDS = [
  'applications',
  'commissions',
  'fraud-reviews',
  'payout-reviews',
  'payout-requests',
  'payouts',
  'webhooks',
  'connectors',
  'events',
] as const;

export type WaitingKind = (typeof WAITING_KINDS)[number];
export type WaitingCounts = Readonly<Record<WaitingKind, number>>;
