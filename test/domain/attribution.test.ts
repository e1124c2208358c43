import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Claim, losingReason, weightsUnder } from '#domain/attribution.ts';
import type { AttributionModel } from '#domain/program.ts';
import { touched } from './facts.ts';

const claim = (score: number, first: number, last: number): Claim => ({ score, ...touched(first, last) });

describe('the weights of three claims: score 3 from 1 to 9, score 5 from 2 to 4, score 1 from 3 to 10', () => {
  const claims = [claim(3, 1, 9), claim(5, 2, 4), claim(1, 3, 10)];
  const cases: readonly [AttributionModel, bigint[], lost: string][] = [
    ['last-touch', [0n, 0n, 1n], 'lost-to-newer'],
    ['first-touch', [1n, 0n, 0n], 'lost-to-older'],
    ['top-score', [0n, 1n, 0n], 'lost-to-higher'],
    ['linear', [1n, 1n, 1n], 'share-is-zero'],
    ['weighted', [3n, 5n, 1n], 'share-is-zero'],
  ];
  for (const [model, expected, lost] of cases) {
    it(`by ${model} are ${expected.join(', ')}, and what weighs nothing has ${lost}`, () => {
      assert.deepEqual(claims.map(weightsUnder(model, claims)), expected);
      assert.equal(losingReason(model), lost);
    });
  }
});

describe('a tie', () => {
  for (const model of ['last-touch', 'top-score'] as const) {
    it(`goes to the oldest by ${model}`, () => {
      const claims = [claim(2, 1, 5), claim(2, 2, 5)];
      assert.deepEqual(claims.map(weightsUnder(model, claims)), [1n, 0n]);
    });
  }
});
