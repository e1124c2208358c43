import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CandidateReason } from '#domain/explanation.ts';
import type {
  CollaboratorId,
  ConfigVersion,
  EngagementId,
  EventId,
  OpportunityId,
  ProgramId,
  UserId,
} from '#domain/ids.ts';
import type { Instant } from '#domain/instant.ts';
import type { Minor } from '#domain/money.ts';
import type { AttributionModel, ProgramVersion } from '#domain/program.ts';
import type { Line } from '#domain/reward.ts';
import { type Candidate, decideSale, type Sale } from '#domain/sale-decision.ts';

const DAY = 86_400_000_000;
const SOLD_AT = (100 * DAY) as Instant;

function program(change: Partial<ProgramVersion> = {}): ProgramVersion {
  return {
    programId: 1 as ProgramId,
    version: 1,
    configVersion: 1 as ConfigVersion,
    name: 'Affiliates',
    status: 'active',
    currency: 'USD',
    windowDays: 30,
    attribution: 'last-touch',
    reward: { type: 'percent', ratePpm: 100_000 },
    countedLines: ['product', 'discount'],
    triggers: { 'site-visit': 1 },
    pays: ['sale'],
    autoApprove: false,
    approveAfterDays: null,
    enrollment: 'everyone',
    creditsPer: 'sale',
    ...change,
  };
}

type Shorthand = Partial<Omit<Candidate, 'collaborator'>> & { collaborator?: Partial<Candidate['collaborator']> };

/** A candidate of collaborator `n` whose first and last touch is event `n`. */
function candidate(n: number, { collaborator, ...change }: Shorthand = {}): Candidate {
  return {
    engagementId: n as EngagementId,
    opportunityId: 1 as OpportunityId,
    program: program(),
    collaboratorId: n as CollaboratorId,
    collaborator: { active: true, userId: null, enrolled: false, ...collaborator },
    complete: false,
    score: 1,
    firstVisitId: n as EventId,
    lastVisitId: n as EventId,
    firstAt: (99 * DAY) as Instant,
    lastAt: (99 * DAY) as Instant,
    ...change,
  };
}

function line(amount: number, change: Partial<Line> = {}): Line {
  return { externalId: null, name: 'Order', type: 'product', quantity: 1, amount: BigInt(amount) as Minor, ...change };
}

function sale(change: Partial<Sale> = {}): Sale {
  return {
    opportunityState: 'active',
    visitorUserId: null,
    currency: 'USD',
    soldAt: SOLD_AT,
    refunded: false,
    lines: [line(100_00)],
    ...change,
  };
}

function shares(decision: ReturnType<typeof decideSale>): [collaborator: number, amount: number][] {
  return decision.awards.map(({ collaboratorId, amount }) => [collaboratorId, Number(amount)]);
}

function reasons(decision: ReturnType<typeof decideSale>): Record<number, CandidateReason | 'won'> {
  return Object.fromEntries(
    decision.candidates.map(({ collaboratorId, reason, outcome }) => [collaboratorId, reason ?? (outcome as 'won')]),
  );
}

describe('attribution', () => {
  const touched = (attribution: AttributionModel) => {
    const of = program({ attribution });
    return [
      candidate(1, { program: of, score: 3, firstVisitId: 1 as EventId, lastVisitId: 9 as EventId }),
      candidate(2, { program: of, score: 5, firstVisitId: 2 as EventId, lastVisitId: 4 as EventId }),
      candidate(3, { program: of, score: 1, firstVisitId: 3 as EventId, lastVisitId: 10 as EventId }),
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
    it(`${model} gives ${JSON.stringify(expected)} of a reward of 10.00`, () => {
      const decision = decideSale(sale(), touched(model), []);
      assert.deepEqual(shares(decision), expected);
      assert.deepEqual(reasons(decision), why);
    });
  }

  it('a tie of scores goes to the oldest', () => {
    const of = program({ attribution: 'top-score' });
    assert.deepEqual(shares(decideSale(sale(), [candidate(2, { program: of }), candidate(1, { program: of })], [])), [
      [1, 1000],
    ]);
  });

  it('the order in which candidates are given changes nothing', () => {
    for (const model of ['last-touch', 'first-touch', 'linear', 'weighted', 'top-score'] as const) {
      const rivals = touched(model);
      assert.deepEqual(decideSale(sale(), rivals.toReversed(), []), decideSale(sale(), rivals, []));
    }
  });

  it('every program goes on for itself', () => {
    const other = program({ programId: 2 as ProgramId, reward: { type: 'per-sale', amount: 250n as Minor } });
    const decision = decideSale(sale(), [candidate(1), candidate(2, { program: other })], []);
    assert.deepEqual(shares(decision), [
      [1, 1000],
      [2, 250],
    ]);
  });

  it('100.00 among three is 33.34 + 33.33 + 33.33, the cent to the oldest', () => {
    const of = program({ attribution: 'linear', reward: { type: 'per-sale', amount: 100_00n as Minor } });
    const rivals = [3, 2, 1].map((n) => candidate(n, { program: of }));
    assert.deepEqual(shares(decideSale(sale(), rivals, [])), [
      [1, 3334],
      [2, 3333],
      [3, 3333],
    ]);
  });

  it('a share that rounds to nothing makes no conversion and says so', () => {
    const of = program({ attribution: 'linear', reward: { type: 'per-sale', amount: 1n as Minor } });
    const decision = decideSale(sale(), [candidate(1, { program: of }), candidate(2, { program: of })], []);
    assert.deepEqual(shares(decision), [[1, 1]]);
    assert.deepEqual(reasons(decision), { 1: 'won', 2: 'share-is-zero' });
  });
});

describe('why a candidate is dropped', () => {
  const paysFixed = { reward: { type: 'per-sale', amount: 500n as Minor }, currency: 'EUR' } as const;
  const cases: [CandidateReason, Candidate, Partial<Sale>][] = [
    ['program-inactive', candidate(1, { program: program({ status: 'inactive' }) }), {}],
    ['event-not-paid', candidate(1, { program: program({ pays: ['lead'] }) }), {}],
    ['collaborator-inactive', candidate(1, { collaborator: { active: false } }), {}],
    ['not-enrolled', candidate(1, { program: program({ enrollment: 'selected' }) }), {}],
    ['self-referral', candidate(1, { collaborator: { userId: 7 as UserId } }), { visitorUserId: 7 as UserId }],
    ['already-credited', candidate(1, { complete: true }), {}],
    ['window-expired', candidate(1, { lastAt: (SOLD_AT - 30 * DAY - 1) as Instant }), {}],
    ['currency-mismatch', candidate(1, { program: program(paysFixed) }), {}],
    ['nothing-counted', candidate(1), { lines: [line(10_00, { type: 'shipping' })] }],
    ['nothing-counted', candidate(1), { lines: [line(10_00), line(-10_00, { type: 'discount' })] }],
  ];
  for (const [reason, dropped, change] of cases) {
    it(`${reason}: earns nothing, and the next in line does`, () => {
      const alone = decideSale(sale(change), [dropped], []);
      assert.deepEqual(shares(alone), []);
      assert.deepEqual(reasons(alone), { 1: reason });
    });
  }

  it('the first that is true, in the order of the rules, is the reason', () => {
    const all = candidate(1, {
      program: program({ status: 'inactive', pays: [], enrollment: 'selected' }),
      collaborator: { active: false },
      complete: true,
      lastAt: 0 as Instant,
    });
    assert.deepEqual(reasons(decideSale(sale({ lines: [line(0)] }), [all], [])), { 1: 'program-inactive' });
  });

  it('a dropped candidate has no part in the split', () => {
    const of = program({ attribution: 'linear' });
    const gone = candidate(1, { program: of, collaborator: { active: false } });
    assert.deepEqual(shares(decideSale(sale(), [gone, candidate(2, { program: of })], [])), [[2, 1000]]);
  });

  it('a visit on the last microsecond of the window still counts', () => {
    const edge = candidate(1, { lastAt: (SOLD_AT - 30 * DAY) as Instant });
    assert.deepEqual(shares(decideSale(sale(), [edge], [])), [[1, 1000]]);
  });

  it('a percentage pays in whatever currency the sale has', () => {
    assert.deepEqual(shares(decideSale(sale({ currency: 'JPY' }), [candidate(1)], [])), [[1, 1000]]);
  });
});

describe('the base of a reward', () => {
  const lines = [
    line(19_99, { quantity: 3 }),
    line(-5_00, { type: 'discount' }),
    line(4_90, { type: 'shipping' }),
    line(9_50, { type: 'tax' }),
    line(1_00, { type: 'fee' }),
  ];
  const cases: [string, Partial<ProgramVersion>, number][] = [
    ['10 % of products less discounts', {}, 5_50],
    ['10 % with shipping and fees', { countedLines: ['product', 'discount', 'shipping', 'fee'] }, 6_09],
    ['1.00 for each product', { reward: { type: 'per-product', amount: 1_00n as Minor } }, 3_00],
    ['2.50 for the sale', { reward: { type: 'per-sale', amount: 2_50n as Minor } }, 2_50],
    ['12.3456 %, rounded half up once', { reward: { type: 'percent', ratePpm: 123_456 } }, 6_79],
  ];
  for (const [name, change, expected] of cases) {
    it(`${name} is ${expected / 100}`, () => {
      const decision = decideSale(sale({ lines }), [candidate(1, { program: program(change) })], []);
      assert.deepEqual(shares(decision), [[1, expected]]);
    });
  }

  it('half a cent rounds up', () => {
    assert.deepEqual(shares(decideSale(sale({ lines: [line(5)] }), [candidate(1)], [])), [[1, 1]]);
    assert.deepEqual(shares(decideSale(sale({ lines: [line(4)] }), [candidate(1)], [])), []);
  });
});

describe('the state of a conversion', () => {
  it('waits for a decision by default, is approved at once with autoApprove', () => {
    const auto = candidate(1, { program: program({ autoApprove: true }) });
    assert.equal(decideSale(sale(), [candidate(1)], []).awards[0]?.status, 'pending');
    assert.equal(decideSale(sale(), [auto], []).awards[0]?.status, 'approved');
  });

  it('is rejected from the start where the money has gone back, with the same amounts and explanation', () => {
    const auto = candidate(1, { program: program({ autoApprove: true }) });
    const refunded = decideSale(sale({ refunded: true }), [auto], []);
    assert.deepEqual(refunded.awards[0]?.status, 'rejected');
    assert.deepEqual(refunded.awards[0]?.reason, 'refunded');
    const kept = decideSale(sale(), [auto], []);
    assert.deepEqual(refunded.candidates, kept.candidates);
    assert.deepEqual(shares(refunded), shares(kept));
  });
});

describe('a sale that earns nobody anything', () => {
  it('says so where nobody engaged', () => {
    assert.equal(decideSale(sale(), [], []).reason, 'no-engagement');
  });

  it('names the visits that made no engagement', () => {
    const unengaged = [{ collaboratorId: 5 as CollaboratorId, reason: 'self-referral' as const }];
    assert.deepEqual(reasons(decideSale(sale(), [], unengaged)), { 5: 'self-referral' });
  });

  for (const state of ['invalid', 'removed'] as const) {
    it(`says so where the opportunity is ${state}`, () => {
      const decision = decideSale(sale({ opportunityState: state }), [candidate(1)], []);
      assert.equal(decision.reason, `opportunity-${state}`);
      assert.deepEqual(decision.awards, []);
    });
  }
});

describe('merged opportunities', () => {
  it('count the engagements of one collaborator as one: scores added, earliest first, latest last', () => {
    const of = program({ attribution: 'top-score' });
    const decision = decideSale(
      sale(),
      [
        candidate(1, { program: of, score: 2, firstVisitId: 1 as EventId, lastVisitId: 2 as EventId }),
        candidate(2, { program: of, score: 3, firstVisitId: 3 as EventId, lastVisitId: 3 as EventId }),
        candidate(4, { program: of, score: 2, collaboratorId: 1 as CollaboratorId, opportunityId: 2 as OpportunityId }),
      ],
      [],
    );
    assert.deepEqual(shares(decision), [[1, 1000]]);
    assert.equal(decision.candidates[0]?.score, 4);
    assert.equal(decision.awards[0]?.engagementId, 1);
  });

  it('keep complete engagements apart', () => {
    const decision = decideSale(
      sale(),
      [candidate(1, { complete: true }), candidate(2, { collaboratorId: 1 as CollaboratorId })],
      [],
    );
    assert.deepEqual(shares(decision), [[1, 1000]]);
    assert.deepEqual(
      decision.candidates.map(({ reason }) => reason ?? 'won'),
      ['won', 'already-credited'],
    );
  });
});

describe('a program that credits an opportunity once', () => {
  it('completes the engagements of a sale that earns; its refund, decided after it, opens them again', () => {
    const once = candidate(1, { program: program({ creditsPer: 'opportunity' }) });
    assert.equal(decideSale(sale(), [once], []).awards[0]?.completes, true);
    assert.equal(decideSale(sale({ refunded: true }), [once], []).awards[0]?.completes, true);
    assert.equal(decideSale(sale(), [candidate(1)], []).awards[0]?.completes, false);
  });
});
