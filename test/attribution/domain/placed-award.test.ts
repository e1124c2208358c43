import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventId, Seq } from '#core/ids.ts';
import { isCountedAt, type PlacedAward, type Sight } from '#attribution/domain/placed-award.ts';

/** An award for event 10, at position 20 in the decision sequence. The award was never rejected or refunded. */
const AWARD = placed({ rejection: null, refundedBy: null });

describe('sums for caps and tiers', () => {
  const cases: [name: string, award: PlacedAward, sight: Sight, isCounted: boolean][] = [
    ['include an award for an earlier event', AWARD, at(30, 40), true],
    ['exclude the award for the event itself', AWARD, at(10, 40), false],
    ['exclude an award for a later event that was decided first', AWARD, at(5, 40), false],
    ['exclude an award for an earlier event that is not decided yet', AWARD, at(15, 19), false],
    ['exclude an award that was rejected before the event', placed({ rejection: at(25, 28) }), at(30, 40), false],
    ['include an award that a later event rejected', placed({ rejection: at(35, 36) }), at(30, 40), true],
    ['include an award that was rejected after the decision', placed({ rejection: at(25, 50) }), at(30, 40), true],
    [
      'exclude an award that was fully refunded before the event',
      placed({ refundedBy: 25 as EventId }),
      at(30, 40),
      false,
    ],
    [
      'include an award that was fully refunded after the event',
      placed({ refundedBy: 35 as EventId }),
      at(30, 40),
      true,
    ],
  ];
  for (const [name, award, sight, isCounted] of cases) {
    it(name, () => assert.equal(isCountedAt(award, sight), isCounted));
  }

  it('exclude an award that was fully refunded before the event, even if its rejection was decided later', () => {
    const award = placed({ rejection: at(25, 50), refundedBy: 25 as EventId });
    assert.equal(isCountedAt(award, at(30, 40)), false);
  });
});

function placed(fate: Partial<Pick<PlacedAward, 'rejection' | 'refundedBy'>>): PlacedAward {
  return { amount: 900n, count: 1, ...at(10, 20), rejection: null, refundedBy: null, ...fate };
}

function at(eventId: number, seq: number): Sight {
  return { eventId: eventId as EventId, seq: seq as Seq };
}
