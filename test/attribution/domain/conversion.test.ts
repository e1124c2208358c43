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
    ['what is pending', 'pending', complete, 'changed'],
    ['what is approved, and nothing changes', 'approved', complete, 'unchanged'],
    ['nothing that is rejected: that is final', 'rejected', complete, 'forbidden'],
    ['nothing while a refund waits: how much is not known yet', 'pending', refundWaits, 'forbidden'],
    ['what is approved a second time, though a refund waits', 'approved', refundWaits, 'unchanged'],
    ['nothing of a sale that was refunded', 'pending', refunded, 'forbidden'],
    ['nothing of a sale that was cancelled', 'pending', cancelled, 'forbidden'],
    ['nothing again of a refunded sale, even while decisions are pending', 'approved', refunded, 'forbidden'],
  ];
  for (const [promise, conversion, sale, review] of cases) {
    it(promise, () => assert.equal(approve(conversion, sale), review));
  }
});

describe('an operator releases', () => {
  const complete: ReviewedSale = { status: 'complete', refundWaits: false };
  const refundWaits: ReviewedSale = { status: 'complete', refundWaits: true };
  const refunded: ReviewedSale = { status: 'refunded', refundWaits: false };
  const cases: readonly [promise: string, ConversionStatus, isHeld: boolean, ReviewedSale, Review][] = [
    ['what is held', 'pending', true, complete, 'changed'],
    ['what is not held, and nothing changes', 'pending', false, complete, 'unchanged'],
    ['what is approved, and nothing changes', 'approved', false, complete, 'unchanged'],
    ['nothing that is rejected', 'rejected', false, complete, 'forbidden'],
    ['nothing of a sale that was refunded', 'pending', true, refunded, 'forbidden'],
    ['nothing while a refund waits', 'pending', true, refundWaits, 'forbidden'],
  ];
  for (const [promise, conversion, isHeld, sale, review] of cases) {
    it(promise, () => assert.equal(release(conversion, isHeld, sale), review));
  }
});

describe('an operator rejects', () => {
  const cases: readonly [promise: string, conversion: ConversionStatus, review: Review][] = [
    ['what is pending', 'pending', 'changed'],
    ['what is approved', 'approved', 'changed'],
    ['what is rejected, and nothing changes', 'rejected', 'unchanged'],
  ];
  for (const [promise, conversion, review] of cases) {
    it(promise, () => assert.equal(reject(conversion), review));
  }
});
