import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  approve,
  type ConversionStatus,
  reject,
  release,
  type Review,
  type ReviewedSale,
} from '#attribution/domain/conversion.ts';

describe('an operator approves', () => {
  const complete: ReviewedSale = { status: 'complete', refundWaits: false };
  const refundWaits: ReviewedSale = { status: 'complete', refundWaits: true };
  const refunded: ReviewedSale = { status: 'refunded', refundWaits: false };
  const cancelled: ReviewedSale = { status: 'cancelled', refundWaits: false };
  const cases: readonly [promise: string, conversion: ConversionStatus, sale: ReviewedSale, review: Review][] = [
    ['a pending conversion', 'pending', complete, 'changed'],
    ['an approved conversion again, without a change', 'approved', complete, 'unchanged'],
    ['no rejected conversion, because a rejection is final', 'rejected', complete, 'forbidden'],
    [
      'no pending conversion while a refund is being processed, because the amount is unknown',
      'pending',
      refundWaits,
      'forbidden',
    ],
    [
      'an approved conversion again, without a change, even while a refund is being processed',
      'approved',
      refundWaits,
      'unchanged',
    ],
    ['no conversion of a refunded sale', 'pending', refunded, 'forbidden'],
    ['no conversion of a cancelled sale', 'pending', cancelled, 'forbidden'],
    ['no conversion of a refunded sale, even if the conversion is still approved', 'approved', refunded, 'forbidden'],
  ];
  for (const [promise, conversion, sale, review] of cases) {
    it(promise, () => assert.equal(approve(conversion, sale), review));
  }
});

describe('an operator clears', () => {
  const complete: ReviewedSale = { status: 'complete', refundWaits: false };
  const refundWaits: ReviewedSale = { status: 'complete', refundWaits: true };
  const refunded: ReviewedSale = { status: 'refunded', refundWaits: false };
  const cases: readonly [promise: string, ConversionStatus, isHeld: boolean, ReviewedSale, Review][] = [
    ['a conversion in review', 'pending', true, complete, 'changed'],
    ['a conversion outside a review, without a change', 'pending', false, complete, 'unchanged'],
    ['an approved conversion, without a change', 'approved', false, complete, 'unchanged'],
    ['no rejected conversion', 'rejected', false, complete, 'forbidden'],
    ['no conversion of a refunded sale', 'pending', true, refunded, 'forbidden'],
    ['no conversion in review while a refund is being processed', 'pending', true, refundWaits, 'forbidden'],
  ];
  for (const [promise, conversion, isHeld, sale, review] of cases) {
    it(promise, () => assert.equal(release(conversion, isHeld, sale), review));
  }
});

describe('an operator rejects', () => {
  const cases: readonly [promise: string, ConversionStatus, isRejectedByRefund: boolean, Review][] = [
    ['a pending conversion', 'pending', false, 'changed'],
    ['an approved conversion', 'approved', false, 'changed'],
    ['a conversion that a refund rejected, so that it stays rejected', 'rejected', true, 'changed'],
    ['a conversion that a person rejected, without a change', 'rejected', false, 'unchanged'],
  ];
  for (const [promise, conversion, isRejectedByRefund, review] of cases) {
    it(promise, () => assert.equal(reject(conversion, isRejectedByRefund), review));
  }
});
