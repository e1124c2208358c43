import type { MutableKind } from '../domain/partner-email.ts';

/** The names of the kinds of email, as they follow the words "emails about". */
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
