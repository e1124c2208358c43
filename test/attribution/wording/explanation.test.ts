import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExplainedCandidate, CandidateReason, Explanation } from '#attribution/domain/explanation.ts';
import { candidateWords, explanationText } from '#attribution/wording/explanation-text.ts';
import type { CollaboratorId, ConversionId, ProgramGroupId, ProgramId, TransactionId } from '#core/ids.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import {
  ANN,
  BO,
  CY,
  conversion,
  lost,
  m,
  program,
  sale,
  seconds,
  sumIn,
  textOf,
  circumstancesWith,
  transaction,
  winner,
  won,
} from '../../support/explained.ts';
import { HOLDS_OFF } from '../../support/plain-terms.ts';

describe('the explanation of a sale', () => {
  it('names the order, the earning collaborator, the program and the arithmetic', () => {
    assert.equal(
      explanationText(
        sale([won(ANN, { base: m(4999), reward: m(500), share: m(500), score: 3 })]),
        circumstancesWith(),
      ),
      [
        'Sale “order-1001” from “shop” (transaction 31) on 2026-11-21 09:30:00 UTC: total 49.99 USD, ' +
          'products and discounts 49.99 USD. 1 collaborator earned.',
        'Ann (collaborator 7) earned 5.00 USD in “Friends” (program 5, version 2): 10% of 49.99 USD = 5.00 USD. ' +
          'Touches from 2026-11-20 08:00:00 UTC to 2026-11-21 09:00:00 UTC, score 3.',
      ].join('\n'),
    );
  });

  it('gives the reason if the sale as a whole earned nothing', () => {
    const [first, why] = textOf({ ...sale([]), reason: 'no-engagement' });
    assert.match(first ?? '', /Nobody earned\.$/);
    assert.equal(why, 'Why: no touch of a collaborator counted (no-engagement).');
  });

  it('counts a collaborator once, even if the collaborator earned in two programs', () => {
    const other = won(ANN, { programId: 6 as ProgramId, programVersion: 1 });
    const [first] = textOf(sale([won(ANN), other]), {
      programs: [program(), program({ programId: 6 as ProgramId, version: 1 })],
    });
    assert.match(first ?? '', / 1 collaborator earned\.$/);
  });

  it('gives the number of candidates, refunds and conversions that are not listed', () => {
    const lines = textOf({ ...sale([won(ANN)]), omitted: 1 }, { omittedConversions: 2, omittedRefunds: 3 });
    assert.match(lines[0] ?? '', /At least 1 collaborator earned\.$/);
    assert.deepEqual(lines.slice(2), [
      '1 more candidate is not listed.',
      '3 more refunds are not listed.',
      '2 more conversions are not listed.',
    ]);
  });

  it('shows the id of a collaborator without a name', () => {
    assert.match(winner({ collaboratorId: 99 as CollaboratorId }), /^Collaborator 99 earned 5\.00 USD /);
  });

  it('shows a single touch with one time, and omits missing touches and scores', () => {
    const at = seconds('2026-11-20T08:00:00Z');
    assert.match(winner({ firstAt: at, lastAt: at }), / Touches on 2026-11-20 08:00:00 UTC, score 1\.$/);
    const { firstAt: _, lastAt: __, score: ___, ...untouched } = won(ANN);
    assert.match(textOf(sale([untouched])).at(-1) ?? '', /= 5\.00 USD\.$/);
    const { score: ____, ...unscored } = won(ANN);
    assert.match(textOf(sale([unscored])).at(-1) ?? '', /09:00:00 UTC\.$/);
  });

  it('throws if the decision lacks a weight, a program version or a reward', () => {
    const { weight: _, ...unweighed } = won(ANN);
    assert.throws(() => textOf(sale([unweighed])), /Collaborator 7 has the outcome won but no weight\./);
    assert.throws(() => textOf(sale([won(ANN)]), { programs: [] }), /The version of program 5 is missing\./);
    assert.throws(() => winner({ terms: 'own' }), /Program 5, version 2, lacks the reward of its decision\./);
    assert.throws(() => winner({ terms: 'tier', tierFrom: 10n }), /lacks the reward/);
  });
});

describe('the explanation of a candidate that earned nothing', () => {
  const reasons: [
    CandidateReason,
    terms: Partial<ProgramVersion>,
    numbers: Partial<ExplainedCandidate>,
    expected: string,
  ][] = [
    ['program-inactive', { status: 'inactive' }, {}, 'the program was not active (program-inactive)'],
    [
      'event-not-paid',
      { pays: ['lead', 'renewal'] },
      {},
      'the program does not pay for this kind of event (event-not-paid): it pays for leads and renewals',
    ],
    [
      'event-not-paid',
      { pays: ['sale'] },
      {},
      'the program does not pay for this kind of event (event-not-paid): the reward here is for leads',
    ],
    ['collaborator-inactive', {}, {}, 'the collaborator was not active (collaborator-inactive)'],
    ['not-enrolled', {}, {}, 'the collaborator was not enrolled in the program (not-enrolled)'],
    ['self-referral', {}, {}, 'the collaborator is the buyer (self-referral)'],
    [
      'already-credited',
      {},
      {},
      'an earlier sale of this visitor was credited, and the program credits each visitor once (already-credited)',
    ],
    ['window-expired', { windowDays: 1 }, {}, 'the last touch was before the program’s window (window-expired): 1 day'],
    [
      'renewal-limit',
      { renewalLimit: { months: 12, times: 3 } },
      {},
      'the program no longer pays renewals of this sale (renewal-limit): for 12 months, 3 renewals at most',
    ],
    [
      'renewal-limit',
      { renewalLimit: { months: null, times: 1 } },
      {},
      'the program no longer pays renewals of this sale (renewal-limit): 1 renewal at most',
    ],
    ['renewal-limit', { renewalLimit: null }, {}, 'the program no longer pays renewals of this sale (renewal-limit)'],
    [
      'currency-mismatch',
      { currency: 'EUR' },
      {},
      'an amount of the program (reward, cap, minimum or tier) is in another currency than the sale (currency-mismatch): ' +
        'EUR, not USD',
    ],
    ['nothing-counted', {}, { base: m(-500) }, 'the counted lines add up to 0 or less (nothing-counted): -5.00 USD'],
    ['nothing-counted', {}, {}, 'the counted lines add up to 0 or less (nothing-counted)'],
    [
      'below-minimum',
      { minimumOrder: m(10_000) },
      {},
      'the total is below the program’s minimum (below-minimum): 49.99 of 100.00 USD',
    ],
    ['below-minimum', {}, {}, 'the total is below the program’s minimum (below-minimum)'],
    ['lost-in-group', {}, {}, 'another program of its group pays (lost-in-group)'],
    ['lost-to-newer', {}, {}, 'a newer touch gets the credit (lost-to-newer)'],
    ['no-program', {}, {}, 'no active program tracks this touch (no-program)'],
    [
      'share-is-zero',
      {},
      { base: m(4), quantity: 1, weight: 1, reward: m(0), share: m(0) },
      'the share rounds to nothing (share-is-zero): 10% of 0.04 USD of the lines that count in the program = 0.00 USD',
    ],
    [
      'cap-reached',
      { capPerPeriod: { period: 'month', amount: m(10_000) } },
      { base: m(4999), quantity: 1, weight: 1, reward: m(500), share: m(0), cut: m(500), earnedForCap: m(10_000) },
      'the program’s cap per collaborator and period was reached (cap-reached): 10% of 49.99 USD = 5.00 USD. ' +
        'The cap of 100.00 USD a month, with 100.00 USD awarded before, reduces this to 0.00 USD',
    ],
  ];
  for (const [reason, terms, numbers, expected] of reasons) {
    it(`gives the reason “${expected}”`, () => {
      const [, line] = textOf(sale([lost(ANN, reason, numbers)]), { programs: [program(terms)] });
      assert.equal(
        line,
        `Ann (collaborator 7) earned nothing in “Friends” (program 5, version 2): ${expected}. ${TOUCHES}`,
      );
    });
  }

  it('names the collaborator that received the credit instead', () => {
    for (const [reason, words] of [
      ['lost-to-newer', 'a newer touch'],
      ['lost-to-older', 'an older touch'],
      ['lost-to-higher', 'a higher score'],
    ] as const) {
      const [, , line] = textOf(sale([won(BO), lost(ANN, reason, { weight: 0 })]));
      assert.match(line ?? '', new RegExp(`: ${words} gets the credit \\(${reason}\\): Bo \\(collaborator 8\\)\\. `));
    }
  });

  it('names the winning program of the group, even if it paid nothing', () => {
    const groupId = 4 as ProgramGroupId;
    const partners = { programId: 6 as ProgramId, programVersion: 1 };
    const apart = { programId: 7 as ProgramId, programVersion: 1 };
    const programs = [
      program({ groupId }),
      program({ ...partners, version: 1, name: 'Partners', groupId }),
      program({ ...apart, version: 1, name: 'Apart' }),
    ];
    const zero = { base: m(4999), reward: m(0), share: m(0), weight: 1 };
    const candidates = [
      won(CY, apart),
      lost(BO, 'share-is-zero', { ...partners, ...zero }),
      lost(ANN, 'lost-in-group'),
    ];
    assert.match(
      textOf(sale(candidates), { programs }).at(-1) ?? '',
      /another program of its group pays \(lost-in-group\): “Partners” \(program 6, version 1\)\. /,
    );
  });

  for (const [reason, sentence] of [
    ['self-referral', 'the visitor is the collaborator'],
    ['no-program', 'no active program tracks this touch'],
    ['not-enrolled', 'the collaborator isn’t in a program that tracks this touch'],
  ] as const)
    it(`names no program if the touch created no engagement: ${sentence}`, () => {
      const candidate: ExplainedCandidate = { collaboratorId: BO, outcome: 'lost', reason };
      const [, line] = textOf(sale([candidate]));
      assert.equal(line, `Bo (collaborator 8) earned nothing: ${sentence} (${reason}).`);
    });

  it('gives no reason if none was stored', () => {
    const [, line] = textOf(sale([{ collaboratorId: BO, outcome: 'lost' }]));
    assert.equal(line, 'Bo (collaborator 8) earned nothing.');
  });
});

describe('the explanation of a lead', () => {
  const perLead = program({ reward: { type: 'per-lead', amount: m(2500) }, pays: ['lead'], currency: 'EUR' });
  const lead: Explanation = {
    ...sale([won(ANN, { currency: 'EUR', base: m(0), quantity: 0, reward: m(2500), share: m(2500) })]),
    kind: 'lead',
    base: m(0),
    currency: 'XXX',
    transaction: transaction({ source: 'lead', externalId: '5214909912345678', total: m(0) }),
  };

  it('shows no total, and uses the program’s currency', () => {
    assert.deepEqual(textOf(lead, { programs: [perLead] }), [
      'Lead “5214909912345678” from “lead” (transaction 31) on 2026-11-21 09:30:00 UTC. 1 collaborator earned.',
      'Ann (collaborator 7) earned 25.00 EUR in “Friends” (program 5, version 2): 25.00 EUR a lead = 25.00 EUR. ' +
        TOUCHES,
    ]);
  });

  it('says that the lead was reversed if it has a full refund', () => {
    const at = seconds('2026-11-25T10:00:00Z');
    const lines = textOf(lead, { programs: [perLead], refunds: [{ at, kind: 'full', amount: m(0) }] });
    assert.equal(lines.at(-1), 'Reversed on 2026-11-25 10:00:00 UTC.');
  });

  it('says that the reward is not for leads if this is why a candidate earned nothing', () => {
    const unpaid = { ...lead, candidates: [lost(ANN, 'event-not-paid')] };
    assert.match(
      textOf(unpaid, { programs: [program({ pays: ['lead', 'sale'] })] }).at(-1) ?? '',
      /\(event-not-paid\): the reward here is not for leads\./,
    );
  });
});

describe('the explanation of a renewal', () => {
  const renewal = (candidates: readonly ExplainedCandidate[]): Explanation => ({
    ...sale(candidates),
    kind: 'renewal',
    transactionId: 77 as TransactionId,
    transaction: transaction({ externalId: 'order-1001-3', renewal: { of: 31 as TransactionId, number: 3 } }),
  });

  it('names the sale and the renewal number, and shows the split of the sale', () => {
    const numbers = { base: m(4999), reward: m(500) };
    const lines = textOf(
      renewal([won(ANN, { ...numbers, share: m(333), weight: 2 }), won(BO, { ...numbers, share: m(167) })]),
    );
    assert.match(lines[0] ?? '', /^Renewal 3 of transaction 31, “order-1001-3” from “shop” \(transaction 77\) on /);
    assert.equal(
      sumIn(lines[1] ?? ''),
      '10% of 49.99 USD = 5.00 USD. The share by the split of the sale, with weight 2 of 3, is 3.33 USD',
    );
  });

  it('shows a fixed reward per renewal', () => {
    const perSale = program({ reward: { type: 'per-sale', amount: m(500) } });
    assert.equal(sumIn(textOf(renewal([won(ANN)]), { programs: [perSale] })[1] ?? ''), '5.00 USD a renewal = 5.00 USD');
  });

  it('explains the reason no-original-conversion: the renewed sale has no conversion to renew', () => {
    assert.equal(
      textOf({ ...renewal([]), reason: 'no-original-conversion' })[1],
      'Why: the renewed sale has no conversions, has only conversions that a person rejected, or was fully refunded before (no-original-conversion).',
    );
  });
});

describe('later changes in an explanation', () => {
  const at = seconds('2026-11-25T10:00:00Z');

  it('lists each refund with its date and amount, and with its id if there is one', () => {
    const refunds = [
      { at, kind: 'amount', amount: m(1000), refundId: 'r-1' },
      { at, kind: 'items', amount: m(1999), refundId: 'r-2' },
      { at, kind: 'full', amount: m(2000) },
      { at, kind: 'full', amount: m(2000), refundId: 'dispute-1', reversedAt: at },
    ] as const;
    assert.deepEqual(textOf(sale([]), { refunds }).slice(1), [
      'Partly refunded on 2026-11-25 10:00:00 UTC (refund “r-1”): 10.00 USD of 49.99 USD.',
      'Items refunded on 2026-11-25 10:00:00 UTC (refund “r-2”): 19.99 USD of 49.99 USD.',
      'Refunded on 2026-11-25 10:00:00 UTC: 20.00 USD of 49.99 USD.',
      'Refunded on 2026-11-25 10:00:00 UTC (refund “dispute-1”): 20.00 USD of 49.99 USD. This refund was reversed on 2026-11-25 10:00:00 UTC.',
    ]);
  });

  it('lists each correction with its new total, and shows later refunds as parts of that total', () => {
    const corrections = [
      { at, correctionId: 'edit-1', total: m(5999) },
      { at, correctionId: 'edit-2', total: m(6999) },
    ];
    const refunds = [{ at, kind: 'amount', amount: m(1000), refundId: 'r-1' }] as const;
    assert.deepEqual(textOf(sale([]), { corrections, refunds }).slice(1), [
      'Corrected on 2026-11-25 10:00:00 UTC (correction “edit-1”): total 59.99 USD from then on.',
      'Corrected on 2026-11-25 10:00:00 UTC (correction “edit-2”): total 69.99 USD from then on.',
      'Partly refunded on 2026-11-25 10:00:00 UTC (refund “r-1”): 10.00 USD of 69.99 USD.',
    ]);
  });

  it('lists the current amount and status of each conversion', () => {
    const conversions = [
      conversion({ amount: m(300), status: 'approved' }),
      conversion({ id: 42 as ConversionId, collaboratorId: BO, status: 'rejected', reason: 'A test order' }),
      conversion({ id: 43 as ConversionId, collaboratorId: 99 as CollaboratorId, programVersion: 9 }),
    ];
    assert.deepEqual(textOf(sale([]), { conversions }).slice(1), [
      'Conversion 41 of Ann (collaborator 7) in “Friends” (program 5, version 2): 5.00 USD awarded, worth 3.00 USD now, approved.',
      'Conversion 42 of Bo (collaborator 8) in “Friends” (program 5, version 2): 5.00 USD awarded, rejected because “A test order”: nothing is owed.',
      'Conversion 43 of Collaborator 99: 5.00 USD awarded, pending.',
    ]);
  });

  it('lists manual credits with their author, time and note', () => {
    const manual = conversion({ type: 'manual', collaboratorId: CY, author: 'key 3', awardedAt: at, note: 'By phone' });
    const { note: _, ...silent } = manual;
    const start = 'Conversion 41 of Cy (collaborator 9) in “Friends” (program 5, version 2), credited manually (key 3)';
    assert.deepEqual(textOf(sale([]), { conversions: [manual, silent] }).slice(1), [
      `${start} on 2026-11-25 10:00:00 UTC, “By phone”: 5.00 USD awarded, pending.`,
      `${start} on 2026-11-25 10:00:00 UTC: 5.00 USD awarded, pending.`,
    ]);
  });

  it('shows the arithmetic of a manual credit in the credit’s own line', () => {
    const explained = won(CY);
    const manual = conversion({ type: 'manual', collaboratorId: CY, author: 'key 3', awardedAt: at, explained });
    const [, line] = textOf(sale([won(ANN)]), { conversions: [manual] }).slice(1);
    assert.match(String(line), /10:00:00 UTC: 10% of 49\.99 USD = 5\.00 USD\. 5\.00 USD awarded, pending\.$/);
  });
});

const TOUCHES = 'Touches from 2026-11-20 08:00:00 UTC to 2026-11-21 09:00:00 UTC, score 1.';

describe('the explanation of a conversion in fraud review', () => {
  const numbers = { visitsFromAddress: 20, visitsOfCollaborator: 500, secondsToSale: 10 };
  const holds = { ...HOLDS_OFF, ...numbers, ownCoupon: true };
  const programs = [program({ holds })];
  const hold = {
    reasons: ['visits-from-address', 'visits-of-collaborator', 'own-coupon', 'quick-sale'],
    nthFromAddress: 21,
    nthOfCollaborator: 501,
  } as const;

  it('lists the fraud signals with the measured values', () => {
    const line = textOf(sale([won(ANN, { hold })]), { programs })[1] ?? '';
    assert.equal(
      line.slice(line.indexOf('Held')),
      'Held for review: one address visited through this collaborator more often within an hour than the program allows: 21 ' +
        'of 20 (visits-from-address); this collaborator had more visits within an hour than the program allows: 501 ' +
        'of 500 (visits-of-collaborator); the buyer used a coupon of the collaborator, and the buyer’s user id is or was ' +
        'the collaborator’s own (own-coupon); the time since the first touch was shorter than the program allows: 10 seconds ' +
        '(quick-sale).',
    );
  });

  it('for a renewal, says which fraud signals are from the renewed sale, regardless of the program’s current settings', () => {
    const explanation = {
      ...sale([won(ANN, { hold: { reasons: ['own-coupon', 'quick-sale'] } })]),
      kind: 'renewal' as const,
    };
    const { holds: words } = candidateWords(
      { ...explanation, transaction: { ...explanation.transaction, renewal: { of: 1 as TransactionId, number: 1 } } },
      circumstancesWith(),
      explanation.candidates[0] as ExplainedCandidate,
    );
    assert.deepEqual(words, [
      'the buyer used a coupon of the collaborator, and the buyer’s user id is or was the collaborator’s own',
      'its sale was held for review: the time since the first touch was shorter than the program allows',
    ]);
  });

  it('describes the conversion as held for review until a person has reviewed it', () => {
    const lines = (review: 'held' | 'resolved') =>
      textOf(sale([won(ANN, { hold })]), { programs, conversions: [conversion({ status: 'pending', review })] }).at(-1);
    assert.match(lines('held') ?? '', /awarded, held for review\.$/);
    assert.match(lines('resolved') ?? '', /awarded, pending\.$/);
  });
});
