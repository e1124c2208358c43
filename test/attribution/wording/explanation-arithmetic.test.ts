import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExplainedCandidate } from '#attribution/domain/explanation.ts';
import type { Period } from '#core/period.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { ANN, BO, CY, lost, m, program, sale, sumIn, textOf, tiers, winner, won } from '../../support/explained.ts';

describe('the arithmetic of an explanation', () => {
  const rewards: [
    promise: string,
    terms: Partial<ProgramVersion>,
    numbers: Partial<ExplainedCandidate>,
    expected: string,
  ][] = [
    ['a percentage', {}, { base: m(4999), reward: m(500) }, '10% of 49.99 USD = 5.00 USD'],
    [
      'a fraction of a percent',
      { reward: { type: 'percent', ratePpm: 123_456 } },
      { reward: m(617) },
      '12.3456% of 49.99 USD = 6.17 USD',
    ],
    [
      'a fixed amount per sale',
      { reward: { type: 'per-sale', amount: m(250) } },
      { reward: m(250) },
      '2.50 USD a sale = 2.50 USD',
    ],
    [
      'a fixed amount per unit',
      { reward: { type: 'per-product', amount: m(100) } },
      { quantity: 3, reward: m(300) },
      '1.00 USD × 3 units = 3.00 USD',
    ],
    [
      'a fixed amount for one unit',
      { reward: { type: 'per-product', amount: m(100) } },
      { quantity: 1, reward: m(100) },
      '1.00 USD × 1 unit = 1.00 USD',
    ],
    [
      'the lines that pass a filter',
      { lineFilter: { include: [{ by: 'name', pattern: 'Mug*' }], exclude: [] } },
      { base: m(3000), reward: m(300) },
      '10% of 30.00 USD of the lines that pass the program’s filter = 3.00 USD',
    ],
    [
      'line types other than products and discounts',
      { countedLines: ['product', 'shipping'] },
      { base: m(5499), reward: m(550) },
      '10% of 54.99 USD of the lines that count in the program = 5.50 USD',
    ],
    [
      'an individual reward',
      { collaboratorRewards: [{ collaboratorId: ANN, reward: { type: 'percent', ratePpm: 200_000 } }] },
      { terms: 'own', reward: m(1000) },
      '20% of 49.99 USD (custom rate) = 10.00 USD',
    ],
    [
      'the reward of every renewal',
      { renewalRewards: [{ afterMonths: 0, reward: { type: 'percent', ratePpm: 200_000 } }] },
      { terms: 'renewal', afterMonths: 0, reward: m(1000) },
      '20% of 49.99 USD (reward for renewals) = 10.00 USD',
    ],
    [
      'the reward of old renewals, without the tiers of the program',
      {
        tiers: tiers('count', 'month', [10n]),
        renewalRewards: [{ afterMonths: 12, reward: { type: 'percent', ratePpm: 20_000 } }],
      },
      { terms: 'renewal', afterMonths: 12, earnedForTier: { sum: m(9999), count: 12 }, reward: m(100) },
      '2% of 49.99 USD (reward from 12 months after the sale) = 1.00 USD',
    ],
    [
      'a tier that counts conversions',
      { tiers: tiers('count', 'month', [10n, 20n]) },
      { terms: 'tier', tierFrom: 10n, earnedForTier: { sum: m(9999), count: 12 }, reward: m(750) },
      '15% of 49.99 USD (tier from 10 conversions, with 12 counted that month) = 7.50 USD',
    ],
    [
      'a tier that starts at one conversion',
      { tiers: tiers('count', 'year', [1n]) },
      { terms: 'tier', tierFrom: 1n, earnedForTier: { sum: m(500), count: 1 }, reward: m(750) },
      '15% of 49.99 USD (tier from 1 conversion, with 1 counted that year) = 7.50 USD',
    ],
    [
      'a tier that counts awarded amounts',
      { tiers: tiers('sum', 'lifetime', [100_000n]) },
      { terms: 'tier', tierFrom: 100_000n, earnedForTier: { sum: m(123_456), count: 12 }, reward: m(750) },
      '15% of 49.99 USD (tier from 1000.00 USD, with 1234.56 USD counted in all) = 7.50 USD',
    ],
    [
      'tiers that are not reached yet',
      { tiers: tiers('count', 'quarter', [10n]) },
      { earnedForTier: { sum: m(9999), count: 3 }, reward: m(500) },
      '10% of 49.99 USD (below the tier from 10 conversions, with 3 counted that quarter) = 5.00 USD',
    ],
    [
      'the cap per order',
      { capPerOrder: m(500) },
      { base: m(7500), uncapped: m(750), reward: m(500) },
      '10% of 75.00 USD of the lines that count in the program = 7.50 USD. The cap per order reduces this to 5.00 USD',
    ],
  ];
  for (const [promise, terms, numbers, expected] of rewards) {
    it(`shows ${promise}: ${expected}`, () => {
      const line = winner({ ...numbers, share: numbers.reward ?? m(500) }, terms);
      assert.equal(sumIn(line), expected);
    });
  }

  const periods: [Period, string][] = [
    ['day', 'a day'],
    ['week', 'a week'],
    ['month', 'a month'],
    ['quarter', 'a quarter'],
    ['year', 'a year'],
    ['lifetime', 'in all'],
  ];
  for (const [period, each] of periods) {
    it(`shows a cap per period and the earlier awards, with the period as “${each}”`, () => {
      const line = winner(
        { base: m(3000), reward: m(300), cut: m(180), share: m(120), earnedForCap: m(9880), reason: 'cap-reached' },
        { capPerPeriod: { period, amount: m(10_000) }, countedLines: ['product'] },
      );
      assert.match(line, /^Ann \(collaborator 7\) earned 1\.20 USD /);
      assert.equal(
        sumIn(line),
        '10% of 30.00 USD of the lines that count in the program = 3.00 USD. ' +
          `The cap of 100.00 USD ${each}, with 98.80 USD awarded before, reduces this to 1.20 USD (cap-reached)`,
      );
    });
  }

  describe('the arithmetic in a currency without decimals', () => {
    const yen = (candidates: readonly ExplainedCandidate[], terms: Partial<ProgramVersion> = {}, omitted = 0) =>
      textOf(
        { ...sale(candidates), currency: 'JPY', omitted },
        { programs: [program({ currency: 'JPY', countedLines: ['product'], ...terms })] },
      )
        .slice(1)
        .map(sumIn);

    it('shows the reward before it was rounded to a whole unit', () => {
      const [rounded] = yen([won(ANN, { base: m(123_400), reward: m(12_300), share: m(12_300) })]);
      assert.match(rounded ?? '', /= 123\.00 JPY \(123\.40 rounded, since JPY has no decimals\)$/);
      const [exact] = yen([won(ANN, { base: m(123_000), reward: m(12_300), share: m(12_300) })]);
      assert.match(exact ?? '', /= 123\.00 JPY$/);
    });

    it('omits the note about rounding if not all candidates are listed', () => {
      const [omitted] = yen([won(ANN, { base: m(123_400), reward: m(12_300), share: m(12_300) })], {}, 9);
      assert.doesNotMatch(omitted ?? 'rounded', /rounded/);
    });

    it('shows that both caps are rounded down to whole units', () => {
      const [order] = yen([won(ANN, { base: m(75_000), uncapped: m(7_500), reward: m(5_000), share: m(5_000) })], {
        capPerOrder: m(5_050),
      });
      assert.match(order ?? '', /reduces this to 50\.00 JPY \(50\.50 rounded down, since JPY has no decimals\)$/);
      const cut = { cut: m(25_000), share: m(5_000), earnedForCap: m(0), reason: 'cap-reached' as const };
      const [period] = yen([won(ANN, { base: m(300_000), reward: m(30_000), ...cut })], {
        capPerPeriod: { period: 'day', amount: m(5_050) },
      });
      assert.match(period ?? '', /reduces this to 50\.00 JPY \(50\.50 rounded down, since JPY has no decimals\)/);
    });
  });

  it('shows the weights of a split, after the cap per order', () => {
    const terms = { attribution: 'weighted', capPerOrder: m(500) } as const;
    const numbers = { base: m(4999), uncapped: m(700), reward: m(500) };
    const lines = textOf(
      sale([
        won(ANN, { ...numbers, weight: 3, share: m(300) }),
        won(BO, { ...numbers, weight: 2, share: m(200), cut: m(0) }),
        lost(CY, 'lost-to-higher', { ...numbers, weight: 0, share: m(0) }),
      ]),
      { programs: [program({ ...terms, reward: { type: 'percent', ratePpm: 140_000 } })] },
    );
    const start =
      '14% of 49.99 USD = 7.00 USD. The cap per order reduces this to 5.00 USD. The share by weighted attribution,';
    assert.equal(sumIn(lines[1] ?? ''), `${start} with weight 3 of 5, is 3.00 USD`);
    assert.equal(sumIn(lines[2] ?? '').split('. The cap of')[0], `${start} with weight 2 of 5, is 2.00 USD`);
  });

  it('shows the combined reward for a split between different terms', () => {
    const own = { collaboratorId: ANN, reward: { type: 'percent', ratePpm: 120_000 } } as const;
    const lines = textOf(
      sale([
        won(ANN, { terms: 'own', base: m(4999), reward: m(550), share: m(300) }),
        won(BO, { base: m(4999), reward: m(550), share: m(250) }),
      ]),
      { programs: [program({ attribution: 'linear', collaboratorRewards: [own] })] },
    );
    assert.deepEqual(lines.slice(1).map(sumIn), [
      '12% of 49.99 USD (custom rate), weight 1 of 2. The sum of all shares is 5.50 USD. The share is 3.00 USD',
      '10% of 49.99 USD, weight 1 of 2. The sum of all shares is 5.50 USD. The share is 2.50 USD',
    ]);
  });

  it('shows a split between two tiers as a split between different terms', () => {
    const steps = tiers('count', 'week', [10n]);
    const lines = textOf(
      sale([
        won(ANN, {
          terms: 'tier',
          tierFrom: 10n,
          earnedForTier: { sum: m(1), count: 10 },
          reward: m(625),
          share: m(375),
        }),
        won(BO, { earnedForTier: { sum: m(1), count: 1 }, reward: m(625), share: m(250) }),
      ]),
      { programs: [program({ attribution: 'linear', tiers: steps })] },
    );
    assert.match(
      lines[1] ?? '',
      /counted that week\), weight 1 of 2\. The sum of all shares is 6\.25 USD\. The share is 3\.75 USD/,
    );
  });

  it('shows no sum of weights if not all candidates are listed', () => {
    const [, line] = textOf({ ...sale([won(ANN, { weight: 3, reward: m(500), share: m(2) })]), omitted: 9 });
    assert.equal(
      sumIn(line ?? ''),
      '10% of 49.99 USD, weight 3. The sum of all shares is 5.00 USD. The share is 0.02 USD',
    );
  });

  it('names the day as the period of a tier', () => {
    const line = winner(
      { terms: 'tier', tierFrom: 5n, earnedForTier: { sum: m(0), count: 5 } },
      { tiers: tiers('count', 'day', [5n]) },
    );
    assert.match(line, /5 counted that day/);
  });
});
