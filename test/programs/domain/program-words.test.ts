import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixed, minor, percent } from '../../support/decision-facts.ts';
import { PLAIN_TERMS } from '../../support/plain-terms.ts';
import type { CollaboratorId, ProgramGroupId } from '#core/ids.ts';
import type { LineMatcher } from '#programs/domain/line-filter.ts';
import type { ProgramTerms } from '#programs/domain/program.ts';
import { programWords } from '#programs/domain/program-words.ts';

const [ADA, BEN] = [7, 8] as CollaboratorId[] as [CollaboratorId, CollaboratorId];
const NAMES = new Map([[ADA, 'Ada']]);

const words = (terms: Partial<ProgramTerms> = {}): string[] =>
  programWords({ ...PLAIN_TERMS, ...terms }, { kind: 'merchant', names: NAMES });
const wordsFor = (id: CollaboratorId | null, terms: Partial<ProgramTerms> = {}): string[] =>
  programWords({ ...PLAIN_TERMS, ...terms }, { kind: 'collaborator', id });

describe('the terms summary of a program', () => {
  it('describes the reward, its base, the touches, the time limit and the approval', () => {
    assert.deepEqual(words(), [
      'Collaborators earn 10% of each sale: of products, less discounts.',
      'It is paid in the currency of the sale.',
      'It counts visits by a collaborator’s link.',
      'The sale has to come within 30 days of the last touch.',
      'Where several referred the same buyer, the one who came last gets the credit.',
      'Each sale to the buyer counts in that time, not only the first.',
      'Every collaborator may take part.',
      'What is earned waits until a person approves it.',
    ]);
  });

  const sentences: [of: string, terms: Partial<ProgramTerms>, ...expected: string[]][] = [
    ['a draft', { status: 'draft' }, 'It is a draft: nothing is earned until it is active.'],
    ['an inactive one', { status: 'inactive' }, 'It is switched off: nothing new is earned.'],
    ['a deleted one', { status: 'deleted' }, 'It is deleted: nothing new is earned.'],
    [
      'a part of a percent',
      { reward: percent(12.3456), pays: ['sale', 'renewal'], countedLines: ['product', 'shipping', 'tax', 'fee'] },
      'Collaborators earn 12.3456% of each sale or renewal: of products, shipping, taxes and fees.',
    ],
    ['discounts alone', { countedLines: ['discount'] }, 'Collaborators earn 10% of each sale: of discounts.'],
    [
      'an amount a sale',
      { reward: fixed('per-sale', 5_00), currency: 'EUR' },
      'Collaborators earn 5.00 EUR for each sale.',
      'Only sales in EUR count.',
    ],
    [
      'an amount a piece',
      { reward: fixed('per-product', 1_05) },
      'Collaborators earn 1.05 USD for each piece in a sale: of products.',
    ],
    [
      'an amount for pieces of nothing',
      { reward: fixed('per-product', 1_05), countedLines: ['discount'] },
      'Collaborators earn 1.05 USD for each piece in a sale: of nothing.',
    ],
    [
      'a lead',
      {
        reward: fixed('per-lead', 25_00),
        pays: ['lead'],
        capPerOrder: minor(20_00),
        minimumOrder: minor(5),
        approveAfterDays: 1,
      },
      'Collaborators earn 25.00 USD for each lead.',
      'One lead pays 20.00 USD at most, to all collaborators together.',
      'The lead has to come within 30 days of the last touch.',
      'What is earned is approved 1 day after the lead, unless a person rejects it before.',
    ],
    [
      'tiers by sum',
      { tiers: { period: 'month', by: 'sum', steps: [{ from: 1_000_00n, reward: percent(15) }] } },
      'After 1000.00 USD earned in a calendar month it is 15% for what comes next.',
      'Only sales in USD count.',
    ],
    [
      'tiers by number',
      {
        tiers: {
          period: 'lifetime',
          by: 'count',
          steps: [
            { from: 1n, reward: fixed('per-sale', 7_00) },
            { from: 10n, reward: fixed('per-product', 1_00) },
          ],
        },
      },
      'After 1 conversion in all it is 7.00 USD a sale for what comes next.',
      'After 10 conversions in all it is 1.00 USD a piece for what comes next.',
      'A percentage is paid in the currency of the sale; fixed amounts are paid for sales in USD alone.',
    ],
    ['a cap a sale', { capPerOrder: minor(30_00) }, 'One sale pays 30.00 USD at most, to all collaborators together.'],
    [
      'a cap a period',
      { capPerPeriod: { period: 'quarter', amount: minor(40_00) } },
      'Each collaborator earns 40.00 USD at most in a quarter.',
    ],
    ['a minimum', { minimumOrder: minor(20_00) }, 'The total has to be 20.00 USD or more, shipping and all.'],
    [
      'one touch of each kind',
      { triggers: { 'site-visit': 1, 'coupon-applied': 5, 'quiz-done': 2 } },
      'It counts visits by a collaborator’s link, uses of a collaborator’s coupon and the event “quiz-done”.',
    ],
    [
      'points, where they decide',
      { triggers: { 'site-visit': 1, 'coupon-applied': 5 }, attribution: 'weighted' },
      'It counts visits by a collaborator’s link (1 point) and uses of a collaborator’s coupon (5 points).',
      'Where several referred the same buyer, they share by their points.',
    ],
    ['no touch', { triggers: {} }, 'Nothing leads to it by itself: it pays what a person credits by hand.'],
    [
      'a trigger that is off',
      { triggers: { 'site-visit': undefined }, attribution: 'top-score' },
      'It counts visits by a collaborator’s link (0 points).',
    ],
    [
      'the first touch',
      { attribution: 'first-touch', windowDays: 1 },
      'The sale has to come within 1 day of the last touch.',
      'Where several referred the same buyer, the one who came first gets the credit.',
    ],
    [
      'the highest score',
      { attribution: 'top-score' },
      'Where several referred the same buyer, the one with the most points gets the credit.',
    ],
    ['equal parts', { attribution: 'linear' }, 'Where several referred the same buyer, they share in equal parts.'],
    [
      'a group',
      { groupId: 3 as ProgramGroupId },
      'It belongs to a group of programs: only one of them pays for a sale.',
    ],
    [
      'credit once',
      { creditsPer: 'opportunity' },
      'A buyer’s first sale counts; a later one only after somebody has referred the buyer again.',
    ],
    [
      'renewals',
      { pays: ['sale', 'renewal'] },
      'Renewals are paid as long as they come, to those who earned by the first sale.',
    ],
    [
      'renewals for some time',
      { pays: ['renewal'], renewalLimit: { months: 12, times: 3 } },
      'Renewals are paid for 12 months after the first sale, 3 of them at most, to those who earned by that sale.',
    ],
    [
      'renewals of some months, however many',
      { pays: ['sale', 'renewal'], renewalLimit: { months: 6, times: null } },
      'Renewals are paid for 6 months after the first sale, to those who earned by that sale.',
    ],
    [
      'so many renewals',
      { pays: ['sale', 'renewal'], renewalLimit: { months: null, times: 3 } },
      'Renewals are paid 3 of them at most, to those who earned by that sale.',
    ],
    ['those who are enrolled', { enrollment: 'selected' }, 'Only collaborators who are enrolled may take part.'],
    ['approval at once', { autoApprove: true }, 'What is earned is approved at once.'],
    [
      'approval after some days',
      { approveAfterDays: 14 },
      'What is earned is approved 14 days after the sale, unless a person rejects it before.',
    ],
  ];
  for (const [of, terms, ...expected] of sentences) {
    it(`describes ${of}`, () => {
      const told = words(terms);
      for (const sentence of expected)
        assert.ok(told.includes(sentence), `${sentence}\nis not among\n${told.join('\n')}`);
    });
  }

  it('lists each kind of line that a filter names', () => {
    const matchers: LineMatcher[] = [
      { by: 'externalId', value: 'sku-7' },
      { by: 'name', pattern: 'Gift*' },
      { by: 'name', pattern: 'Mug' },
      { by: 'type', type: 'fee' },
    ];
    const told = words({ lineFilter: { include: matchers, exclude: [...matchers, ...matchers] } });
    assert.deepEqual(told.slice(1, 3), [
      'Of those lines only these count: the item “sku-7”, items named like “Gift*”, items named “Mug” and fees.',
      'These lines never count: the item “sku-7”, items named like “Gift*”, items named “Mug”, fees, the item “sku-7” and 3 more.',
    ]);
    assert.doesNotMatch(words({ lineFilter: { include: [], exclude: matchers } }).join(), /only these count/);
    assert.doesNotMatch(words({ lineFilter: { include: matchers, exclude: [] } }).join(), /never count/);
  });
});

describe('rewards of single collaborators in the terms summary', () => {
  const own = [
    { collaboratorId: ADA, reward: percent(20) },
    { collaboratorId: BEN, reward: fixed('per-sale', 9_00) },
  ];
  const tiers = { period: 'month', by: 'count', steps: [{ from: 2n, reward: percent(50) }] } as const;

  it('are listed by name for the merchant, and counted if the name is unknown', () => {
    assert.deepEqual(words({ collaboratorRewards: own }).slice(1, 3), [
      'On terms of their own: Ada 20%.',
      '1 more collaborator is on terms of their own.',
    ]);
    const all = programWords(
      { ...PLAIN_TERMS, collaboratorRewards: own },
      {
        kind: 'merchant',
        names: new Map([
          [ADA, 'Ada'],
          [BEN, 'Ben'],
        ]),
      },
    );
    assert.equal(all[1], 'On terms of their own: Ada 20%; Ben 9.00 USD a sale.');
    const none = programWords({ ...PLAIN_TERMS, collaboratorRewards: own }, { kind: 'merchant', names: new Map() });
    assert.equal(none[1], '2 collaborators are on terms of their own.');
    const lead = { collaboratorId: ADA, reward: fixed('per-lead', 30_00) };
    const leads = words({ reward: fixed('per-lead', 25_00), pays: ['lead'], collaboratorRewards: [lead] });
    assert.equal(leads[1], 'On terms of their own: Ada 30.00 USD a lead.');
  });

  it('replace the program’s reward and tiers in the summary for their own collaborator', () => {
    const [first, ...rest] = wordsFor(ADA, { collaboratorRewards: own, tiers });
    assert.equal(first, 'You earn 20% of each sale: of products, less discounts.');
    assert.doesNotMatch(rest.join(), /50%|10%|9\.00/);
  });

  it('are not shown to other collaborators', () => {
    for (const id of [null, 9 as CollaboratorId]) {
      const told = wordsFor(id, {
        collaboratorRewards: own,
        tiers,
        capPerPeriod: { period: 'year', amount: minor(40_00) },
        triggers: { 'coupon-applied': 1 },
      });
      assert.deepEqual(told.slice(0, 5), [
        'You earn 10% of each sale: of products, less discounts.',
        'After 2 conversions in a calendar month it is 50% for what comes next.',
        'You earn 40.00 USD at most in a calendar year.',
        'Only sales in USD count.',
        'It counts uses of your coupon.',
      ]);
      assert.doesNotMatch(told.join(), /20%|9\.00|own/);
    }
  });
});

describe('fraud signals in the terms summary', () => {
  const holds = { visitsFromAddress: 20, visitsOfCollaborator: 1, ownCoupon: true, secondsToSale: 10 };

  it('are described to the merchant with their thresholds', () => {
    assert.equal(
      words({ holds }).at(-1),
      'Held until a person has looked at it: more than 20 visits from one address in an hour; more than 1 visit by one ' +
        'collaborator in an hour; a coupon that its owner has used; less than 10 seconds from the first touch.',
    );
    const coupons = { visitsFromAddress: null, visitsOfCollaborator: null, ownCoupon: true, secondsToSale: null };
    assert.equal(
      words({ holds: coupons }).at(-1),
      'Held until a person has looked at it: a coupon that its owner has used.',
    );
    assert.equal(
      words({ holds: { ...coupons, ownCoupon: false, secondsToSale: 1 } }).at(-1),
      'Held until a person has looked at it: less than 1 second from the first touch.',
    );
  });

  it('are described to collaborators without their thresholds', () => {
    assert.equal(wordsFor(null, { holds }).at(-1), 'What looks unusual is checked by a person before it is approved.');
  });
});
