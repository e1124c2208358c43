import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExplainedCandidate } from '#attribution/domain/explanation.ts';
import type { CollaboratorId, EngagementId, EventId, OpportunityId, ProgramId } from '#core/ids.ts';
import { addDays } from '#core/instant.ts';
import type { AttributionModel, ProgramVersion } from '#programs/domain/program.ts';
import { MAX_MINOR, type Minor } from '#core/money.ts';
import { decideSale } from '#attribution/domain/sale-decision.ts';
import {
  type CandidateChange,
  candidate,
  fixed,
  lead,
  line,
  percent,
  program,
  reasons,
  renewal,
  sale,
  shares,
  SOLD_AT,
  touched,
} from '../../support/decision-facts.ts';
import { withinAmounts } from '#programs/domain/reward.ts';

describe('attribution of a sale', () => {
  const rivalsUnder = (attribution: AttributionModel) => {
    const of = program({ attribution });
    return [
      candidate(1, { program: of, score: 3, ...touched(1, 9) }),
      candidate(2, { program: of, score: 5, ...touched(2, 4) }),
      candidate(3, { program: of, score: 1, ...touched(3, 10) }),
    ];
  };
  const cases: [AttributionModel, [number, number][], Record<number, string>][] = [
    ['last-touch', [[3, 1000]], { 1: 'lost-to-newer', 2: 'lost-to-newer', 3: 'won' }],
    ['first-touch', [[1, 1000]], { 1: 'won', 2: 'lost-to-older', 3: 'lost-to-older' }],
    ['top-score', [[2, 1000]], { 1: 'lost-to-higher', 2: 'won', 3: 'lost-to-higher' }],
    [
      'linear',
      [
        [1, 334],
        [2, 333],
        [3, 333],
      ],
      { 1: 'won', 2: 'won', 3: 'won' },
    ],
    [
      'weighted',
      [
        [1, 333],
        [2, 556],
        [3, 111],
      ],
      { 1: 'won', 2: 'won', 3: 'won' },
    ],
  ];
  for (const [model, expected, why] of cases) {
    const split = expected.map(([id, cents]) => `${cents} cents to collaborator ${id}`).join(', ');
    it(`${model} splits a reward of 10.00: ${split}`, () => {
      const decision = decideSale(sale(), rivalsUnder(model), []);
      assert.deepEqual(shares(decision), expected);
      assert.deepEqual(reasons(decision), why);
    });
  }

  it('pays the oldest claim if the highest scores are equal', () => {
    const of = program({ attribution: 'top-score' });
    assert.deepEqual(shares(decideSale(sale(), [candidate(2, { program: of }), candidate(1, { program: of })], [])), [
      [1, 1000],
    ]);
  });

  it('does not depend on the order of the candidates', () => {
    for (const model of ['last-touch', 'first-touch', 'linear', 'weighted', 'top-score'] as const) {
      const rivals = rivalsUnder(model);
      assert.deepEqual(decideSale(sale(), rivals.toReversed(), []), decideSale(sale(), rivals, []));
    }
  });

  it('orders awards by program id, regardless of the order of touches', () => {
    const other = program({ programId: 2 as ProgramId });
    assert.deepEqual(shares(decideSale(sale(), [candidate(1, { program: other }), candidate(2)], [])), [
      [2, 1000],
      [1, 1000],
    ]);
  });

  it('decides each program separately', () => {
    const other = program({ programId: 2 as ProgramId, reward: fixed('per-sale', 250) });
    const decision = decideSale(sale(), [candidate(1), candidate(2, { program: other })], []);
    assert.deepEqual(shares(decision), [
      [1, 1000],
      [2, 250],
    ]);
  });

  it('splits 100.00 into 33.34, 33.33 and 33.33, with the extra cent for the oldest claim', () => {
    const of = program({ attribution: 'linear', reward: fixed('per-sale', 100_00) });
    const rivals = [3, 2, 1].map((n) => candidate(n, { program: of }));
    assert.deepEqual(shares(decideSale(sale(), rivals, [])), [
      [1, 3334],
      [2, 3333],
      [3, 3333],
    ]);
  });

  it('gives no share to a claim with a score of 0 in the model weighted, with or without other claims', () => {
    const of = program({ attribution: 'weighted' });
    const idle = candidate(1, { program: of, score: 0 });
    assert.deepEqual(reasons(decideSale(sale(), [idle], [])), { 1: 'share-is-zero' });
    assert.deepEqual(reasons(decideSale(sale(), [idle, candidate(2, { program: of })], [])), {
      1: 'share-is-zero',
      2: 'won',
    });
  });

  it('creates no conversion for a share that rounds to 0, and records the reason', () => {
    const of = program({ attribution: 'linear', reward: fixed('per-sale', 1) });
    const decision = decideSale(sale(), [candidate(1, { program: of }), candidate(2, { program: of })], []);
    assert.deepEqual(shares(decision), [[1, 1]]);
    assert.deepEqual(reasons(decision), { 1: 'won', 2: 'share-is-zero' });
  });
});

describe('the amount of a reward', () => {
  const lines = [
    line(19_99, { quantity: 3 }),
    line(-5_00, { type: 'discount' }),
    line(4_90, { type: 'shipping' }),
    line(9_50, { type: 'tax' }),
    line(1_00, { type: 'fee' }),
  ];
  const cases: [string, Partial<ProgramVersion>, number][] = [
    ['10% of products less discounts', {}, 5_50],
    ['10% with shipping and fees', { countedLines: ['product', 'discount', 'shipping', 'fee'] }, 6_09],
    ['1.00 for each product', { reward: fixed('per-product', 1_00) }, 3_00],
    ['2.50 for the sale', { reward: fixed('per-sale', 2_50) }, 2_50],
    ['12.3456%, rounded half up once', { reward: percent(12.3456) }, 6_79],
  ];
  for (const [name, change, expected] of cases) {
    it(`${name} is ${(expected / 100).toFixed(2)}`, () => {
      const decision = decideSale(sale({ lines }), [candidate(1, { program: program(change) })], []);
      assert.deepEqual(shares(decision), [[1, expected]]);
    });
  }

  it('is rounded half up, to whole units if the currency has no decimals and no earlier release decided the sale', () => {
    assert.deepEqual(shares(decideSale(sale({ lines: [line(5)] }), [candidate(1)], [])), [[1, 1]]);
    assert.deepEqual(shares(decideSale(sale({ lines: [line(4)] }), [candidate(1)], [])), []);
    const yen = (inPayableUnits: boolean) => sale({ currency: 'JPY', lines: [line(123_400)], inPayableUnits });
    assert.deepEqual(shares(decideSale(yen(true), [candidate(1)], [])), [[1, 12_300]]);
    assert.deepEqual(shares(decideSale(yen(false), [candidate(1)], [])), [[1, 12_340]]);
  });
});

describe('an award', () => {
  const awarded = (terms: Partial<ProgramVersion>, change: CandidateChange = {}, given = sale()) =>
    decideSale(given, [candidate(1, { program: program(terms), ...change })], []).awards[0];

  it('is pending by default, approved immediately with autoApprove, or scheduled for later approval', () => {
    assert.equal(awarded({})?.status, 'pending');
    assert.equal(awarded({})?.approveAt, null);
    assert.equal(awarded({ autoApprove: true })?.status, 'approved');
    assert.equal(awarded({ approveAfterDays: 14 })?.approveAt, addDays(SOLD_AT, 14));
  });

  it('records the program version, the engagement and its weight', () => {
    assert.deepEqual(awarded({ version: 3, attribution: 'weighted' }, { score: 5 }), {
      programId: 1,
      programVersion: 3,
      collaboratorId: 1,
      engagementId: 1,
      amount: 1000n,
      currency: 'USD',
      weight: 5n,
      byQuantity: false,
      holdReasons: [],
      status: 'pending',
      approveAt: null,
      byCoupon: false,
      completes: false,
    });
  });

  it('records that its reward depends on the quantity, for program terms and individual terms', () => {
    const own = [{ collaboratorId: 1 as CollaboratorId, reward: fixed('per-product', 100) }];
    assert.equal(awarded({ reward: fixed('per-product', 100) })?.byQuantity, true);
    assert.equal(awarded({ collaboratorRewards: own })?.byQuantity, true);
  });

  it('completes its engagement if the program credits once per opportunity, except for renewals and manual credits', () => {
    const once = { creditsPer: 'opportunity', pays: ['sale', 'renewal'] } as const;
    assert.equal(awarded(once)?.completes, true);
    assert.equal(awarded({})?.completes, false);
    assert.equal(awarded(once, { weight: 1n })?.completes, false);
    assert.equal(awarded(once, { weight: 1n }, renewal())?.completes, false);
  });
});

describe('the reasons for which a sale earns nothing', () => {
  const unengaged = [{ collaboratorId: 5 as CollaboratorId, reason: 'self-referral' as const }];

  it('include no-engagement, with the reason for each visit that created no engagement', () => {
    const decision = decideSale(sale(), [], unengaged);
    assert.equal(decision.reason, 'no-engagement');
    assert.deepEqual(reasons(decision), { 5: 'self-referral' });
  });

  it('omit the reason for a visit without an engagement if its collaborator has another engagement', () => {
    const both = [...unengaged, { collaboratorId: 1 as CollaboratorId, reason: 'no-program' as const }];
    const decision = decideSale(sale(), [candidate(1)], both);
    assert.equal(decision.reason, null);
    assert.deepEqual(reasons(decision), { 1: 'won', 5: 'self-referral' });
  });

  for (const state of ['invalid', 'removed'] as const) {
    it(`include the opportunity state ${state}`, () => {
      const decision = decideSale(sale({ opportunityState: state }), [candidate(1)], []);
      assert.equal(decision.reason, `opportunity-${state}`);
      assert.deepEqual(decision.awards, []);
    });

    it(`exclude the opportunity state ${state} for a renewal or a manual credit`, () => {
      const of = program({ pays: ['sale', 'renewal'] });
      for (const kind of [sale(), renewal()]) {
        const decision = decideSale(
          { ...kind, opportunityState: state },
          [candidate(1, { program: of, weight: 1n })],
          [],
        );
        assert.equal(decision.reason, null);
        assert.deepEqual(shares(decision), [[1, 1000]]);
      }
    });
  }

  it('include no-original-conversion if the renewed sale earned nothing', () => {
    assert.equal(decideSale(renewal(), [], []).reason, 'no-original-conversion');
    assert.equal(decideSale({ ...renewal(), opportunityState: 'removed' }, [], []).reason, 'no-original-conversion');
  });
});

describe('engagements of merged opportunities', () => {
  it('count as one per collaborator, with added scores and the earliest and latest touch', () => {
    const of = program({ attribution: 'top-score' });
    const decision = decideSale(
      sale(),
      [
        candidate(1, { program: of, score: 2, ...touched(1, 2) }),
        candidate(2, { program: of, score: 3, ...touched(3, 3) }),
        candidate(4, { program: of, score: 2, collaboratorId: 1 as CollaboratorId, opportunityId: 2 as OpportunityId }),
      ],
      [],
    );
    assert.deepEqual(shares(decision), [[1, 1000]]);
    assert.equal(decision.candidates[0]?.score, 4);
    assert.equal(decision.awards[0]?.engagementId, 1);
  });

  it('keep the latest touch of any of a collaborator’s engagements', () => {
    const rivals = [
      candidate(1, { ...touched(1, 9), lastAt: addDays(SOLD_AT, -1) }),
      candidate(2, { ...touched(2, 8) }),
      candidate(4, { ...touched(3, 3), lastAt: addDays(SOLD_AT, -31), collaboratorId: 1 as CollaboratorId }),
    ];
    const decision = decideSale(sale(), rivals, []);
    assert.deepEqual(shares(decision), [[1, 1000]]);
    assert.equal(decision.candidates[0]?.lastAt, addDays(SOLD_AT, -1));
  });

  it('stay separate if one of them is completed', () => {
    const decision = decideSale(
      sale(),
      [candidate(1, { completedBy: 9 as EventId }), candidate(2, { collaboratorId: 1 as CollaboratorId })],
      [],
    );
    assert.deepEqual(shares(decision), [[1, 1000]]);
    assert.deepEqual(
      decision.candidates.map(({ reason }) => reason ?? 'won'),
      ['won', 'already-credited'],
    );
  });

  it('are reported once if the same sale completed them', () => {
    const completedBy = 9 as EventId;
    const rivals = [1, 2].map((n) => candidate(n, { completedBy, collaboratorId: 1 as CollaboratorId }));
    const { candidates } = decideSale(sale(), rivals, []);
    assert.deepEqual(
      candidates.map(({ reason, score }) => [reason, score]),
      [['already-credited', 2]],
    );
  });
});

describe('the decision on a lead', () => {
  it('pays in the program’s currency, and records this currency for each candidate', () => {
    const of = program({ reward: fixed('per-lead', 25_00), pays: ['lead'], currency: 'EUR' });
    const decision = decideSale(lead(), [candidate(1, { program: of }), candidate(2, { program: of })], []);
    assert.deepEqual(
      decision.awards.map(({ amount, currency }) => [amount, currency]),
      [[2500n, 'EUR']],
    );
    assert.deepEqual(
      decision.candidates.map(({ currency }) => currency),
      ['EUR', 'EUR'],
    );
    assert.equal(decision.base, 0n);
  });
});

describe('the decision on a renewal', () => {
  const of = program({ pays: ['sale', 'renewal'], attribution: 'first-touch' });
  const claim = (n: number, weight: bigint, change: CandidateChange = {}) =>
    candidate(n, { program: of, weight, ...touched(7, 7), ...change });

  it('splits the reward with the weights of the sale, regardless of the program’s current attribution', () => {
    assert.deepEqual(shares(decideSale(renewal(), [claim(1, 3n), claim(2, 5n), claim(3, 1n)], [])), [
      [1, 333],
      [2, 556],
      [3, 111],
    ]);
  });

  it('gives the extra cent to the engagement that was created first', () => {
    const claims = [
      claim(9, 1n, { engagementId: 1 as EngagementId }),
      claim(2, 1n),
      claim(3, 1n, { engagementId: null }),
    ];
    assert.deepEqual(shares(decideSale(renewal(), claims.toReversed(), [])), [
      [9, 334],
      [2, 333],
      [3, 333],
    ]);
  });

  it('gives the extra cent to the collaborator who was created first if there is no engagement', () => {
    const claims = [3, 2, 1].map((n) => claim(n, 1n, { engagementId: null }));
    assert.deepEqual(shares(decideSale(renewal(), claims, [])), [
      [1, 334],
      [2, 333],
      [3, 333],
    ]);
  });

  it('combines a sale’s award and a manual credit of one collaborator into one claim', () => {
    const byHand = claim(1, 2n, { engagementId: null, ...touched(6, 8) });
    const decision = decideSale(renewal(), [byHand, claim(1, 1n), claim(2, 1n)], []);
    assert.deepEqual(
      decision.awards.map(({ collaboratorId, engagementId, weight, amount }) => [
        collaboratorId,
        engagementId,
        weight,
        amount,
      ]),
      [
        [1, 1, 3n, 750n],
        [2, 2, 1n, 250n],
      ],
    );
  });

  it('records no engagement for a manual credit without an engagement', () => {
    const decision = decideSale(renewal(), [claim(1, 1n, { engagementId: null })], []);
    assert.equal(decision.awards[0]?.engagementId, null);
    assert.ok(!('engagementId' in (decision.candidates[0] as ExplainedCandidate)));
  });
});

it('withinAmounts: limits earned sums to the maximum amount', () => {
  const most = MAX_MINOR;
  assert.deepEqual(withinAmounts({ sum: (most + 5n) as Minor, count: 3 }), { sum: most, count: 3 });
  assert.deepEqual(withinAmounts({ sum: 7n as Minor, count: 1 }), { sum: 7n, count: 1 });
});
