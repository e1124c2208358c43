import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Minor } from '#core/money.ts';
import {
  applicationRejectedEmail,
  approvedSalesEmail,
  firstClickEmail,
  firstSaleEmail,
  paidEmail,
  payoutFailedEmail,
  rateChangedEmail,
  rejectedSalesEmail,
} from '#notifications/wording/partner-emails.ts';
import { NOTICE_NAMES } from '#notifications/wording/notice-names.ts';
import { isMutable, MUTABLE_KINDS, PARTNER_EMAIL_KINDS } from '#notifications/domain/partner-email.ts';

const ADA = { name: 'Ada', portal: 'Mugs', url: 'https://whence.example/portal/mugs/' };
const sum = (count: number, amount: bigint, currency = 'USD') => ({ count, amount: amount as Minor, currency });

describe('an email to a partner', () => {
  it('reports the first click and the first commission', () => {
    assert.match(
      firstClickEmail(ADA).text,
      /^Hello Ada,\n\nSomeone clicked your partner link for Mugs for the first time\./,
    );
    const { subject, text } = firstSaleEmail(ADA, [sum(1, 1050n)]);
    assert.equal(subject, 'Your first commission at Mugs');
    assert.match(text, /^Commission: 10\.50 USD$/m);
  });

  it('reports a rejected application, with the merchant’s reason and address if there are any', () => {
    const { subject, text } = applicationRejectedEmail(ADA, 'No\nsite yet', 'help@mugs.example');
    assert.equal(subject, 'Your application to Mugs');
    assert.match(
      text,
      /was not accepted\.\n\nReason: No site yet\n\nIf you have questions, contact Mugs at help@mugs\./,
    );
    assert.doesNotMatch(applicationRejectedEmail(ADA, null, null).text, /Reason|contact/);
  });

  it('adds up approved commissions for each currency', () => {
    const { subject, text } = approvedSalesEmail(ADA, [sum(11, 123_450n), sum(1, 500n, 'EUR')]);
    assert.equal(subject, '12 commissions approved');
    assert.match(text, /\n\n11 commissions: 1234\.50 USD\n1 commission: 5\.00 EUR\n\n/);
  });

  it('says why commissions were rejected', () => {
    const by = (reason: string | null, byHand: boolean) => ({ ...sum(1, 100n), reason, byHand });
    const { subject, text } = rejectedSalesEmail(ADA, [
      by('Your own\norder', true),
      by('refunded', false),
      by('corrected', false),
      by(null, true),
    ]);
    assert.equal(subject, '4 commissions rejected');
    assert.match(text, /^“Your own order”: 1 commission, 1\.00 USD$/m);
    assert.match(text, /^The order was changed: 1 commission, 1\.00 USD$/m);
    assert.equal(text.match(/^The order was refunded: /gm)?.length, 2);
  });

  it('reports failed payments with their reasons, and asks for correct payout details', () => {
    const payout = { ...sum(1, 4200n), reason: 'Account\nclosed' };
    const { subject, text } = payoutFailedEmail(ADA, [payout, payout]);
    assert.equal(subject, 'A payment of Mugs to you failed');
    assert.match(text, /^Mugs tried to pay you, but 2 payments failed:\n\nAccount closed: 42\.00 USD\n/m);
    assert.match(payoutFailedEmail(ADA, [payout]).text, /but the payment failed:/);
    assert.match(text, /^https:\/\/whence\.example\/portal\/mugs\/settings$/m);
  });

  it('reports one payout or several with their dates, and links to the statement', () => {
    const payout = { ...sum(1, 4200n), paidAt: new Date('2026-11-30T23:00:00Z') };
    const { subject, text } = paidEmail(ADA, 'UTC', [payout]);
    assert.equal(subject, 'You were paid 42.00 USD');
    assert.match(text, /Mugs marked a payout to you as paid:\n\nPaid on November 30, 2026: 42\.00 USD\n/);
    assert.match(text, /^https:\/\/whence\.example\/portal\/mugs\/payouts$/m);
    const several = paidEmail(ADA, 'Asia/Kolkata', [payout, { ...payout, currency: 'EUR' }]);
    assert.equal(several.subject, 'You were paid');
    assert.match(several.text, /marked 2 payouts to you as paid:\n\nPaid on December 1, 2026: 42\.00 USD\n/);
  });

  it('lists the new terms of each program', () => {
    const { subject, text } = rateChangedEmail(ADA, [{ name: 'Fri\nends', words: ['You earn 12%.', 'A cap.'] }], 0);
    assert.equal(subject, 'New terms at Mugs');
    assert.match(text, /\n\nFri ends:\n• You earn 12%\.\n• A cap\.\n\n/);
    assert.doesNotMatch(text, /other program/);
  });

  it('counts the programs with new terms that it does not list', () => {
    const { text } = rateChangedEmail(ADA, [{ name: 'Friends', words: ['You earn 12%.'] }], 2);
    assert.match(text, /\n\nThe portal shows the new terms of 2 other programs\.\n\n/);
  });

  it('can be unsubscribed from and has a name in NOTICE_NAMES, unless it reports a rejected application', () => {
    assert.deepEqual(Object.keys(NOTICE_NAMES), [...MUTABLE_KINDS]);
    assert.deepEqual(
      PARTNER_EMAIL_KINDS.filter((kind) => !isMutable(kind)),
      ['application-rejected'],
    );
  });
});
