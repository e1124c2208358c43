import assert from 'node:assert/strict';
import { it } from 'node:test';
import { conversionWords, type DescribedConversion } from '#payouts/wording/conversion-words.ts';
import type { Minor } from '#core/money.ts';

const minor = (amount: number) => BigInt(amount) as Minor;
const paidAt = new Date('2026-11-30T23:59:59Z');

const PENDING: DescribedConversion = {
  type: 'sale',
  status: 'pending',
  reason: null,
  byHand: false,
  isCorrected: false,
  isHeld: false,
  awarded: minor(1000),
  amount: minor(1000),
  currency: 'USD',
  approveAt: null,
  payout: null,
  review: null,
  takenBack: minor(0),
};
const APPROVED: DescribedConversion = { ...PENDING, status: 'approved' };
const REFUNDED: DescribedConversion = { ...PENDING, status: 'rejected', reason: 'refunded' };
const paid = { status: 'paid', paidAt } as const;

const DESCRIBED: readonly (readonly [DescribedConversion, string])[] = [
  [PENDING, 'Waiting for approval.'],
  [
    { ...PENDING, approveAt: new Date('2026-12-05T08:00:00Z') },
    'Will be approved on 2026-12-05, unless it is refunded or rejected first.',
  ],
  [
    { ...PENDING, amount: minor(250) },
    'Part of the order was refunded: 2.50 USD of 10.00 USD are left. Waiting for approval.',
  ],
  [
    { ...PENDING, isCorrected: true, amount: minor(1250) },
    'The order was changed: 12.50 USD instead of 10.00 USD. Waiting for approval.',
  ],
  [
    { ...PENDING, status: 'rejected', reason: 'corrected', isCorrected: true },
    'The order was changed, so nothing is owed for it.',
  ],
  [{ ...PENDING, isHeld: true, approveAt: new Date('2026-12-05T08:00:00Z') }, 'In review.'],
  [APPROVED, 'Approved. It will be part of a later payout.'],
  [{ ...APPROVED, payout: { status: 'unpaid', paidAt: null } }, 'Approved, and part of a payout in progress.'],
  [{ ...APPROVED, payout: paid }, 'Paid on 2026-11-30.'],
  [{ ...APPROVED, payout: { status: 'paid', paidAt: null } }, 'Paid.'],
  [
    { ...APPROVED, amount: minor(400), payout: paid, takenBack: minor(-600) },
    'Part of the order was refunded: 4.00 USD of 10.00 USD are left. Paid on 2026-11-30. ' +
      '6.00 USD paid for it is subtracted from a later payout.',
  ],
  [REFUNDED, 'The order was refunded, so nothing is owed for it.'],
  [{ ...REFUNDED, type: 'lead' }, 'The lead was refunded, so nothing is owed for it.'],
  [{ ...REFUNDED, type: 'renewal' }, 'The renewal was refunded, so nothing is owed for it.'],
  [{ ...REFUNDED, type: 'manual' }, 'The order was refunded, so nothing is owed for it.'],
  [
    { ...REFUNDED, payout: paid, review: 'open' },
    'The order was refunded, so nothing is owed for it. It was already part of a payout, which is now in review.',
  ],
  [
    { ...REFUNDED, payout: paid, review: 'kept' },
    'The order was refunded, so nothing is owed for it. The part that was already in a payout stays yours.',
  ],
  [{ ...REFUNDED, reason: 'Order was a test', byHand: true }, 'Rejected, with this reason: “Order was a test”.'],
  // A person's reason may be the same word that the service uses.
  [{ ...REFUNDED, byHand: true }, 'Rejected, with this reason: “refunded”.'],
  [{ ...REFUNDED, reason: null, byHand: true }, 'The order was refunded, so nothing is owed for it.'],
];

for (const [conversion, words] of DESCRIBED) {
  it(`conversionWords: describes a ${conversion.status} conversion as “${words}”`, () =>
    assert.equal(conversionWords(conversion, 'UTC'), words));
}
