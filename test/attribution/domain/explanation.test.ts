import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ExplainedRefund, markFullRefunds } from '#attribution/domain/explanation.ts';
import { m, seconds } from '../../support/explained.ts';

describe('markFullRefunds', () => {
  const at = seconds('2026-11-25T10:00:00Z');
  it('marks a refund of the last remaining amount as full, and ignores reversed refunds', () => {
    const of = (amount: number, reversed = false): ExplainedRefund => ({
      at,
      kind: 'amount',
      amount: m(amount),
      ...(reversed ? { reversedAt: at } : {}),
    });
    const kinds = (...refunds: ExplainedRefund[]): string[] =>
      markFullRefunds(refunds, m(4999)).map(({ kind }) => kind);
    assert.deepEqual(kinds(of(4999)), ['full']);
    assert.deepEqual(kinds(of(4998), of(1)), ['amount', 'full']);
    assert.deepEqual(kinds(of(4998, true), of(1)), ['amount', 'amount']);
    assert.deepEqual(kinds({ ...of(4998), kind: 'items' }, of(1)), ['items', 'full']);
    assert.deepEqual(kinds(of(4999), of(0)), ['full', 'amount'], 'a refund of 0 after the last amount');
  });
});
