import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOLDS_OFF } from '../../support/plain-terms.ts';
import { fixed, minor, percent } from '../../support/decision-facts.ts';
import { PLAIN_TERMS } from '../../support/plain-terms.ts';
import type { CollaboratorId, ProgramGroupId } from '#core/ids.ts';
import type { LineMatcher } from '#programs/domain/line-filter.ts';
import type { ProgramTerms } from '#programs/domain/program.ts';
import { summarizeTerms } from '#programs/wording/program-words.ts';

const [ADA, BEN] = [7, 8] as CollaboratorId[] as [CollaboratorId, CollaboratorId];
const NAMES = new Map([[ADA, 'Ada']]);

const words = (terms: Partial<ProgramTerms> = {}): string[] =>
  summarizeTerms({ ...PLAIN_TERMS, ...terms }, { kind: 'merchant', names: NAMES });
const wordsFor = (id: CollaboratorId | null, terms: Partial<ProgramTerms> = {}): string[] =>
  summarizeTerms({ ...PLAIN_TERMS, ...terms }, { kind: 'collaborator', id });

describe('the terms summary of a program', () => {
  it('describes the reward, its base, the touches, the time limit and the approval', () => {
    assert.deepEqual(words(), [
      'Partners earn 10% of each sale: of products, less discounts.',
      'It is paid in the currency of the sale.',
      'It counts clicks on a partner’s link.',
      'The sale must occur within 30 days of the last touch.',
      'If several partners referred the same buyer, the most recent one gets the credit.',
      'Every sale to the buyer in that time counts, not only the first.',
      'Every partner can earn.',
      'Commissions wait until a person approves them.',
    ]);
  });

  const cases: [of: string, terms: Partial<ProgramTerms>, ...expected: string[]][] = [
    ['a draft', { status: 'draft' }, 'It is a draft and pays nothing until it is active.'],
    ['an inactive program', { status: 'inactive' }, 'It is inactive and pays nothing new.'],
    ['a deleted program', { status: 'deleted' }, 'It is deleted and pays nothing new.'],
    [
      'a fraction of a percent',
      { reward: percent(12.3456), pays: ['sale', 'renewal'], countedLines: ['product', 'shipping', 'tax', 'fee'] },
      'Partners earn 12.3456% of each sale or renewal: of products, shipping, taxes and fees.',
    ],
    ['a reward on discounts alone', { countedLines: ['discount'] }, 'Partners earn 10% of each sale: of discounts.'],
    [
      'a fixed amount per sale',
      { reward: fixed('per-sale', 5_00), currency: 'EUR' },
      'Partners earn 5.00 EUR for each sale.',
      'Only sales in EUR count.',
    ],
    [
      'a fixed amount per unit',
      { reward: fixed('per-product', 1_05) },
      'Partners earn 1.05 USD for each unit in a sale: of products.',
    ],
    [
      'a fixed amount per unit without counted lines',
      { reward: fixed('per-product', 1_05), countedLines: ['discount'] },
      'Partners earn 1.05 USD for each unit in a sale: of nothing.',
    ],
    [
      'a reward per lead',
      {
        reward: fixed('per-lead', 25_00),
        pays: ['lead'],
        capPerOrder: minor(20_00),
        minimumOrder: minor(5),
        approveAfterDays: 1,
      },
      'Partners earn 25.00 USD for each lead.',
      'One lead pays 20.00 USD at most, for all partners together.',
      'The lead must occur within 30 days of the last touch.',
      'Commissions are approved 1 day after the lead, unless a person rejects them first.',
    ],
    [
      'tiers that count awarded amounts',
      { tiers: { period: 'month', by: 'sum', steps: [{ from: 1_000_00n, reward: percent(15) }] } },
      'After 1000.00 USD earned in a calendar month, the reward is 15% from then on.',
      'Only sales in USD count.',
    ],
    [
      'tiers that count conversions',
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
      'After 1 commission in all, the reward is 7.00 USD a sale from then on.',
      'After 10 commissions in all, the reward is 1.00 USD a unit from then on.',
      'A percentage is paid in the currency of the sale. Fixed amounts are paid only for sales in USD.',
    ],
    ['a cap per sale', { capPerOrder: minor(30_00) }, 'One sale pays 30.00 USD at most, for all partners together.'],
    [
      'a cap per period',
      { capPerPeriod: { period: 'quarter', amount: minor(40_00) } },
      'Each partner earns 40.00 USD at most in a quarter.',
    ],
    ['a minimum order', { minimumOrder: minor(20_00) }, 'The total must be 20.00 USD or more, including shipping.'],
    [
      'a trigger of each kind',
      { triggers: { 'site-visit': 1, 'coupon-applied': 5, 'quiz-done': 2 } },
      'It counts clicks on a partner’s link, uses of a partner’s coupon and the event “quiz-done”.',
    ],
    [
      'points, if the attribution depends on them',
      { triggers: { 'site-visit': 1, 'coupon-applied': 5 }, attribution: 'weighted' },
      'It counts clicks on a partner’s link (1 point) and uses of a partner’s coupon (5 points).',
      'If several partners referred the same buyer, they share in proportion to their points.',
    ],
    ['a program without triggers', { triggers: {} }, 'It has no triggers. It only pays manual credits.'],
    [
      'a trigger without points',
      { triggers: { 'site-visit': undefined }, attribution: 'top-score' },
      'It counts clicks on a partner’s link (0 points).',
    ],
    [
      'attribution to the first touch',
      { attribution: 'first-touch', windowDays: 1 },
      'The sale must occur within 1 day of the last touch.',
      'If several partners referred the same buyer, the first one gets the credit.',
    ],
    [
      'attribution to the highest score',
      { attribution: 'top-score' },
      'If several partners referred the same buyer, the one with the most points gets the credit.',
    ],
    [
      'a split in equal parts',
      { attribution: 'linear' },
      'If several partners referred the same buyer, they share in equal parts.',
    ],
    [
      'membership in a group',
      { groupId: 3 as ProgramGroupId },
      'It belongs to a group of programs. Only one of them pays for a sale.',
    ],
    [
      'one credit per opportunity',
      { creditsPer: 'opportunity' },
      'A buyer’s first sale counts. A later one counts only after the buyer was referred again.',
    ],
    ['renewals', { pays: ['sale', 'renewal'] }, 'All renewals are paid, to the partners who earned on the first sale.'],
    [
      'a limited number of renewals in a limited time',
      { pays: ['renewal'], renewalLimit: { months: 12, times: 3 } },
      'At most 3 renewals are paid for 12 months after the first sale, to the partners who earned on that sale.',
    ],
    [
      'renewals for some months, regardless of their number',
      { pays: ['sale', 'renewal'], renewalLimit: { months: 6, times: null } },
      'Renewals are paid for 6 months after the first sale, to the partners who earned on that sale.',
    ],
    [
      'a limited number of renewals',
      { pays: ['sale', 'renewal'], renewalLimit: { months: null, times: 3 } },
      'At most 3 renewals are paid, to the partners who earned on the first sale.',
    ],
    [
      'a single renewal',
      { pays: ['sale', 'renewal'], renewalLimit: { months: null, times: 1 } },
      'At most 1 renewal is paid, to the partners who earned on the first sale.',
    ],
    [
      'rewards for renewals of different ages',
      {
        pays: ['sale', 'renewal'],
        renewalRewards: [
          { afterMonths: 0, reward: { type: 'percent', ratePpm: 300_000 } },
          { afterMonths: 1, reward: { type: 'per-product', amount: minor(50) } },
          { afterMonths: 12, reward: { type: 'per-sale', amount: minor(200) } },
        ],
      },
      'A renewal pays 30%.',
      'From 1 month after the first sale, a renewal pays 0.50 USD a unit.',
      'From 12 months after the first sale, a renewal pays 2.00 USD.',
    ],
    ['selected enrollment', { enrollment: 'selected' }, 'Only enrolled partners can earn.'],
    ['immediate approval', { autoApprove: true }, 'Commissions are approved at once.'],
    [
      'approval after some days',
      { approveAfterDays: 14 },
      'Commissions are approved 14 days after the sale, unless a person rejects them first.',
    ],
  ];
  for (const [of, terms, ...expected] of cases) {
    it(`describes ${of}`, () => {
      const sentences = words(terms);
      for (const sentence of expected)
        assert.ok(sentences.includes(sentence), `${sentence}\nis not among\n${sentences.join('\n')}`);
    });
  }

  it('lists the first 20 triggers, and counts the others', () => {
    const triggers = Object.fromEntries(Array.from({ length: 22 }, (_, n) => [`event-${n}`, 1]));
    const sentence = words({ triggers }).find((each) => each.startsWith('It counts')) ?? '';
    assert.match(sentence, /^It counts the event “event-0”, .*, the event “event-19” and 2 more\.$/);
  });

  it('cuts long names of lines after 80 characters', () => {
    const include: LineMatcher[] = [{ by: 'externalId', value: 'x'.repeat(81) }];
    const sentence = words({ lineFilter: { include, exclude: [] } }).find((each) => each.startsWith('Only these'));
    assert.equal(sentence, `Only these lines count: the item “${'x'.repeat(80)}…”.`);
  });

  it('lists the lines that a filter names, up to five, and counts the others', () => {
    const matchers: LineMatcher[] = [
      { by: 'externalId', value: 'sku-7' },
      { by: 'name', pattern: 'Gift*' },
      { by: 'name', pattern: 'Mug' },
      { by: 'type', type: 'fee' },
    ];
    const sentences = words({ lineFilter: { include: matchers, exclude: [...matchers, ...matchers] } });
    assert.deepEqual(sentences.slice(1, 3), [
      'Only these lines count: the item “sku-7”, items named like “Gift*”, items named “Mug” and fees.',
      'These lines never count: the item “sku-7”, items named like “Gift*”, items named “Mug”, fees, the item “sku-7” and 3 more.',
    ]);
    assert.doesNotMatch(words({ lineFilter: { include: [], exclude: matchers } }).join(), /only these count/);
    assert.doesNotMatch(words({ lineFilter: { include: matchers, exclude: [] } }).join(), /never count/);
  });
});

describe('custom rates of partners in the terms summary', () => {
  const own = [
    { collaboratorId: ADA, reward: percent(20) },
    { collaboratorId: BEN, reward: fixed('per-sale', 9_00) },
  ];
  const tiers = { period: 'month', by: 'count', steps: [{ from: 2n, reward: percent(50) }] } as const;

  it('are listed for the merchant with the partner’s name, or counted if the name is unknown', () => {
    assert.deepEqual(words({ collaboratorRewards: own }).slice(1, 3), [
      'Custom rates: Ada 20%.',
      '1 more partner has a custom rate.',
    ]);
    const all = summarizeTerms(
      { ...PLAIN_TERMS, collaboratorRewards: own },
      {
        kind: 'merchant',
        names: new Map([
          [ADA, 'Ada'],
          [BEN, 'Ben'],
        ]),
      },
    );
    assert.equal(all[1], 'Custom rates: Ada 20%; Ben 9.00 USD a sale.');
    const none = summarizeTerms({ ...PLAIN_TERMS, collaboratorRewards: own }, { kind: 'merchant', names: new Map() });
    assert.equal(none[1], '2 partners have custom rates.');
    const lead = { collaboratorId: ADA, reward: fixed('per-lead', 30_00) };
    const leads = words({ reward: fixed('per-lead', 25_00), pays: ['lead'], collaboratorRewards: [lead] });
    assert.equal(leads[1], 'Custom rates: Ada 30.00 USD a lead.');
  });

  it('replace the program’s reward and tiers in the partner’s own summary', () => {
    const [first, ...rest] = wordsFor(ADA, { collaboratorRewards: own, tiers });
    assert.equal(first, 'You earn 20% of each sale: of products, less discounts.');
    assert.doesNotMatch(rest.join(), /50%|10%|9\.00/);
  });

  it('are not shown to other partners', () => {
    for (const id of [null, 9 as CollaboratorId]) {
      const sentences = wordsFor(id, {
        collaboratorRewards: own,
        tiers,
        capPerPeriod: { period: 'year', amount: minor(40_00) },
        triggers: { 'coupon-applied': 1 },
      });
      assert.deepEqual(sentences.slice(0, 5), [
        'You earn 10% of each sale: of products, less discounts.',
        'After 2 commissions in a calendar month, the reward is 50% from then on.',
        'You earn 40.00 USD at most in a calendar year.',
        'Only sales in USD count.',
        'It counts uses of your coupon.',
      ]);
      assert.doesNotMatch(sentences.join(), /20%|9\.00|own/);
    }
  });
});

describe('fraud signals in the terms summary', () => {
  const numbers = { visitsFromAddress: 20, visitsOfCollaborator: 1, secondsToSale: 10 };
  const holds = { ...HOLDS_OFF, ...numbers, ownCoupon: true };

  it('are described to the merchant with their thresholds', () => {
    assert.equal(
      words({ holds }).at(-1),
      'Held for review: more than 20 clicks from one address in an hour; more than 1 click by one ' +
        'partner in an hour; a coupon used by its owner; less than 10 seconds from the first touch.',
    );
    assert.equal(
      words({ holds: { ...HOLDS_OFF, visitsFromAddress: 1_000 } }).at(-1),
      'Held for review: more than 1,000 clicks from one address in an hour.',
    );
    const coupons = { ...HOLDS_OFF, ownCoupon: true };
    assert.equal(words({ holds: coupons }).at(-1), 'Held for review: a coupon used by its owner.');
    assert.equal(
      words({ holds: { ...HOLDS_OFF, secondsToSale: 1 } }).at(-1),
      'Held for review: less than 1 second from the first touch.',
    );
    const hosts = Array.from({ length: 25 }, (_, n) => `h${n}.example`);
    assert.match(
      words({ holds: { ...HOLDS_OFF, adReferrers: hosts } }).at(-1) ?? '',
      /clicks from h0\.example, .* and \d+ more\.$/,
    );
    assert.equal(
      words({ holds: { ...HOLDS_OFF, adReferrers: ['bing.com', 'google.*'], buyerDetails: ['email', 'card'] } }).at(-1),
      'Held for review: clicks from bing.com and google.*; a buyer with the partner’s email address or card.',
    );
  });

  it('are followed by the limits of a partner’s results', () => {
    const limits = { minConversionRate: 0.05, maxConversionRate: 30, maxRefundRate: 12.5 };
    const sentence =
      'Partners to look at: a conversion rate below 0.05%; a conversion rate above 30%; refunds above 12.5% of the revenue.';
    assert.equal(words({ holds: { ...HOLDS_OFF, ...limits } }).at(-1), sentence);
    assert.doesNotMatch(words({ holds: { ...HOLDS_OFF, ...limits } }).join(), /Held for review/);
    assert.match(words({ holds: { ...holds, ...limits } }).join(), /Held for review: .*Partners to look at: /);
  });

  it('are not described to partners if the only settings are limits of a partner’s results', () => {
    const terms = { holds: { ...HOLDS_OFF, maxRefundRate: 12.5 } };
    assert.doesNotMatch(wordsFor(null, terms).join(), /reviews/);
  });

  it('are described to partners without their thresholds', () => {
    assert.equal(wordsFor(null, { holds }).at(-1), 'A person reviews unusual commissions before they are approved.');
  });
});
