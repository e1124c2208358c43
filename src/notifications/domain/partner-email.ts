const KINDS_TO_PARTNERS = [
  'first-click',
  'first-sale',
  'approved',
  'rejected',
  'paid',
  'payout-failed',
  'rate-changed',
] as const;

/**
 * The kinds of notification emails, in the order in which a new partner usually gets them. An organization can turn off
 * each kind.
 */
export const PARTNER_EMAIL_KINDS = ['application-rejected', ...KINDS_TO_PARTNERS] as const;

export type PartnerEmailKind = (typeof PARTNER_EMAIL_KINDS)[number];

/**
 * The kinds of emails that a partner can unsubscribe from. An organization can't turn off announcements, because its
 * own people send them. A rejected applicant gets one email and can't log in, so there is nothing to unsubscribe from.
 */
export const MUTABLE_KINDS = [...KINDS_TO_PARTNERS, 'announcement'] as const;

export type MutableKind = (typeof MUTABLE_KINDS)[number];

/** All kinds of emails about notices. */
export type NoticeKind = PartnerEmailKind | MutableKind;

export function isMutable(kind: NoticeKind): kind is MutableKind {
  return kind !== 'application-rejected';
}

/** The kinds that a partner gets at most once in DAYS_BETWEEN days. Later events are reported in the next email. */
export const DAILY_KINDS: readonly PartnerEmailKind[] = ['approved', 'rejected', 'rate-changed'];

export const DAYS_BETWEEN = 1;

/**
 * How long a sent notice is stored, in days. A partner who was added more than NOTICE_DAYS days before their first
 * click gets no email about it.
 */
export const NOTICE_DAYS = 90;
