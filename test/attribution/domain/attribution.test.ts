import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Claim, losingReason, weightsUnder } from '#attribution/domain/attribution.ts';
import type { AttributionModel } from '#programs/domain/program.ts';
import type { Instant } from '#core/instant.ts';
import { touched } from '../../support/decision-facts.ts';

const claim = (score: number, first: number, last: number): Claim => ({ score, ...touched(first, last) });

describe('the weights of three claims with the scores 3, 5, 1, first touches at 1, 2, 3, and last touches at 9, 4, 10', () => {
  const claims = [claim(3, 1, 9), claim(5, 2, 4), claim(1, 3, 10)];
  const cases: readonly [AttributionModel, bigint[], lost: string][] = [
    ['last-touch', [0n, 0n, 1n], 'lost-to-newer'],
    ['first-touch', [1n, 0n, 0n], 'lost-to-older'],
    ['top-score', [0n, 1n, 0n], 'lost-to-higher'],
    ['linear', [1n, 1n, 1n], 'share-is-zero'],
    ['weighted', [3n, 5n, 1n], 'share-is-zero'],
  ];
  for (const [model, expected, lost] of cases) {
    it(`are ${expected.join(', ')} in the model ${model}, where a claim with weight 0 has the reason ${lost}`, () => {
      assert.deepEqual(claims.map(weightsUnder(model, claims)), expected);
      assert.equal(losingReason(model), lost);
    });
  }
});

describe('a tie between claims', () => {
  for (const model of ['last-touch', 'top-score'] as const) {
    it(`is won by the oldest claim in the model ${model}`, () => {
      const claims = [claim(2, 1, 5), claim(2, 2, 5)];
      assert.deepEqual(claims.map(weightsUnder(model, claims)), [1n, 0n]);
    });
  }
});

describe('the order of touches', () => {
  const at = (score: number, first: number, last: number, events: readonly [first: number, last: number]): Claim => ({
    score,
    ...touched(...events),
    firstAt: first as Instant,
    lastAt: last as Instant,
  });

  it('follows the times of the touches, not the times of their reports', () => {
    const claims = [at(1, 10, 90, [3, 4]), at(1, 20, 80, [1, 9])];
    assert.deepEqual(claims.map(weightsUnder('last-touch', claims)), [1n, 0n]);
    assert.deepEqual(claims.map(weightsUnder('first-touch', claims)), [1n, 0n]);
    const turned = claims.toReversed();
    assert.deepEqual(turned.map(weightsUnder('last-touch', turned)), [0n, 1n]);
    assert.deepEqual(turned.map(weightsUnder('first-touch', turned)), [0n, 1n]);
  });

  it('follows the order of reports for simultaneous touches', () => {
    const claims = [at(1, 10, 90, [1, 4]), at(1, 10, 90, [2, 9])];
    assert.deepEqual(claims.map(weightsUnder('last-touch', claims)), [0n, 1n]);
    assert.deepEqual(claims.map(weightsUnder('first-touch', claims)), [1n, 0n]);
  });
});
