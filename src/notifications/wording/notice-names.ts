import type { MutableKind } from '../domain/partner-email.ts';

/** The name of each kind of email. It completes the phrase "emails about …". */
export const NOTICE_NAMES: Readonly<Record<MutableKind, string>> = {
  'first-click': 'your first click',
  'first-sale': 'your first commission',
  approved: 'approved commissions',
  rejected: 'rejected commissions',
  paid: 'payouts',
  'payout-failed': 'failed payments',
  'rate-changed': 'changed rates',
  announcement: 'news for partners',
};
