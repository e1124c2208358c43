/**
 * The kinds of notification email, in the order of a partner's life. An organization can turn each kind off, and a
 * partner can refuse it.
 */
export const PARTNER_EMAIL_KINDS = [
  'first-click',
  'first-sale',
  'approved',
  'rejected',
  'paid',
  'rate-changed',
] as const;

export type PartnerEmailKind = (typeof PARTNER_EMAIL_KINDS)[number];

/** The kinds of which a partner gets at most one email in DAYS_BETWEEN. Facts since then wait for the next email. */
export const DAILY_KINDS: readonly PartnerEmailKind[] = ['approved', 'rejected', 'rate-changed'];

export const DAYS_BETWEEN = 1;

/** How long a sent notice is stored, in days. A partner without a click for that long gets no email about the first. */
export const NOTICE_DAYS = 90;
