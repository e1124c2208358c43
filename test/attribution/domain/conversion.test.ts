import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  approve,
  clear,
  type ConversionStatus,
  reject,
  type Review,
  type ReviewedSale,
} from '#attribution/domain/conversion.ts';

describe('the approval of a conversion by a person', () => {
  const complete: ReviewedSale = { status: 'complete', refundWaits: false };
  const refundWaits: ReviewedSale = { status: 'complete', refundWaits: true };
  const refunded: ReviewedSale = { status: 'refunded', refundWaits: false };
  const cancelled: ReviewedSale = { status: 'cancelled', refundWaits: false };
  const cases: readonly [promise: string, conversion: ConversionStatus, sale: ReviewedSale, review: Review][] = [
    ['changes a pending conversion to approved', 'pending', complete, 'changed'],
    ['leaves an approved conversion unchanged', 'approved', complete, 'unchanged'],
    ['is refused for a rejected conversion', 'rejected', complete, 'forbidden'],
    [
      'is refused for a pending conversion while a refund is being processed, because the amount is unknown',
      'pending',
      refundWaits,
      'forbidden',
    ],
    [
      'leaves an approved conversion unchanged, even while a refund is being processed',
      'approved',
      refundWaits,
      'unchanged',
    ],
    ['is refused for a pending conversion of a refunded sale', 'pending', refunded, 'forbidden'],
    ['is refused for a pending conversion of a cancelled sale', 'pending', cancelled, 'forbidden'],
    [
      'is refused for a conversion of a refunded sale, even if the conversion is still approved',
      'approved',
      refunded,
      'forbidden',
    ],
  ];
  for (const [promise, conversion, sale, review] of cases) {
    it(promise, () => assert.equal(approve(conversion, sale), review));
  }
});

describe('clearing a conversion from fraud review', () => {
  const complete: ReviewedSale = { status: 'complete', refundWaits: false };
  const refundWaits: ReviewedSale = { status: 'complete', refundWaits: true };
  const refunded: ReviewedSale = { status: 'refunded', refundWaits: false };
  const cases: readonly [promise: string, ConversionStatus, isHeld: boolean, ReviewedSale, Review][] = [
    ['ends the review of a pending conversion', 'pending', true, complete, 'changed'],
    ['leaves a pending conversion without a review unchanged', 'pending', false, complete, 'unchanged'],
    ['leaves an approved conversion unchanged', 'approved', false, complete, 'unchanged'],
    ['is refused for a rejected conversion', 'rejected', false, complete, 'forbidden'],
    ['is refused for a conversion of a refunded sale', 'pending', true, refunded, 'forbidden'],
    [
      'is refused for a conversion in review while a refund is being processed',
      'pending',
      true,
      refundWaits,
      'forbidden',
    ],
  ];
  for (const [promise, conversion, isHeld, sale, review] of cases) {
    it(promise, () => assert.equal(clear(conversion, isHeld, sale), review));
  }
});

describe('the rejection of a conversion by a person', () => {
  const cases: readonly [promise: string, ConversionStatus, isRejectedByRefund: boolean, Review][] = [
    ['changes a pending conversion to rejected', 'pending', false, 'changed'],
    ['changes an approved conversion to rejected', 'approved', false, 'changed'],
    ['makes the rejection by an earlier refund permanent', 'rejected', true, 'changed'],
    ['leaves a conversion that a person has rejected unchanged', 'rejected', false, 'unchanged'],
  ];
  for (const [promise, conversion, isRejectedByRefund, review] of cases) {
    it(promise, () => assert.equal(reject(conversion, isRejectedByRefund), review));
  }
});
