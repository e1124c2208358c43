import type { PartnerEmailKind } from '../domain/partner-email.ts';

/** The kinds of email, as they continue the sentence "emails about …". */
export const NOTICE_NAMES: Readonly<Record<PartnerEmailKind, string>> = {
  'first-click': 'your first click',
  'first-sale': 'your first commission',
  approved: 'approved commissions',
  rejected: 'rejected commissions',
  paid: 'payouts',
  'rate-changed': 'changed rates',
};
