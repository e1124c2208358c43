import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExplainedCandidate } from '#attribution/domain/explanation.ts';
import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import type { Sale } from '#attribution/domain/facts.ts';
import { addMonths } from '#core/instant.ts';
import { countedSpans, decideSale } from '#attribution/domain/sale-decision.ts';
import {
  at,
  candidate,
  earned,
  inGroup,
  line,
  minor,
  percent,
  program,
  reasons,
  sale,
  shares,
} from '../../support/decision-facts.ts';

describe('a program group', () => {
  const newest = { groupRule: 'newest' } as const;

  it('lets one of its programs pay, and drops the candidates of its other programs before shares are computed', () => {
    const decision = decideSale(
      sale(),
      [
        candidate(1, { ...newest, program: inGroup(1, { reward: percent(50) }) }),
        candidate(2, { ...newest, program: inGroup(2) }),
        candidate(3, { program: program({ programId: 3 as ProgramId }) }),
      ],
      [],
    );
    assert.deepEqual(reasons(decision), { 1: 'lost-in-group', 2: 'won', 3: 'won' });
    assert.deepEqual(shares(decision), [
      [2, 1000],
      [3, 1000],
    ]);
    assert.equal(decision.candidates.find(({ collaboratorId }) => collaboratorId === 1)?.weight, undefined);
  });

  it('never selects a program whose candidates were all dropped', () => {
    const gone = candidate(3, { ...newest, program: inGroup(1), collaborator: { active: false } });
    const decision = decideSale(sale(), [gone, candidate(2, { ...newest, program: inGroup(2) })], []);
    assert.deepEqual(reasons(decision), { 2: 'won', 3: 'collaborator-inactive' });
  });

  it('keeps the drop reasons of a program that lost in the group', () => {
    const gone = candidate(3, { ...newest, program: inGroup(1), collaborator: { active: false } });
    const lost = candidate(1, { ...newest, program: inGroup(1) });
    const decision = decideSale(sale(), [gone, lost, candidate(2, { ...newest, program: inGroup(2) })], []);
    assert.deepEqual(reasons(decision), { 1: 'lost-in-group', 2: 'won', 3: 'collaborator-inactive' });
  });
});

describe('rewards of renewals', () => {
  const tiers = { period: 'month', by: 'sum', steps: [{ from: 10_00n, reward: percent(20) }] } as const;
  const of = program({ pays: ['sale', 'renewal'], tiers, renewalRewards: [{ afterMonths: 12, reward: percent(2) }] });
  const renewed = (months: number): Sale => {
    const now = sale();
    const renewal = { number: months, originallySoldAt: addMonths(now.soldAt, -months) };
    return { ...now, kind: 'renewal', renewal };
  };

  it('apply once a renewal has reached their minimum age, and the explanation shows this age', () => {
    const earner = candidate(1, { program: of, weight: 1n, earned: { tier: earned(10_00) } });
    const explained = (months: number) => {
      const [{ terms, tierFrom, afterMonths, share } = {} as ExplainedCandidate] = decideSale(
        renewed(months),
        [earner],
        [],
      ).candidates;
      return { terms, tierFrom, afterMonths, share };
    };
    assert.deepEqual(explained(11), { terms: 'tier', tierFrom: 1000n, afterMonths: undefined, share: 2000n });
    assert.deepEqual(explained(12), { terms: 'renewal', tierFrom: undefined, afterMonths: 12, share: 200n });
  });

  it('are paid in the currency of the renewal, even if tiers count sums of another currency', () => {
    const earner = candidate(1, { program: of, weight: 1n, earned: { tier: earned(0) } });
    const outcome = (months: number) =>
      decideSale({ ...renewed(months), currency: 'EUR' }, [earner], []).candidates[0]?.reason;
    assert.equal(outcome(11), 'currency-mismatch');
    assert.equal(outcome(12), undefined);
  });
});

describe('individual rewards and tiers', () => {
  const ten = { period: 'month', by: 'sum', steps: [{ from: 10_00n, reward: percent(20) }] } as const;
  const own = [{ collaboratorId: 3 as CollaboratorId, reward: percent(30) }];
  const of = program({ attribution: 'linear', tiers: ten, collaboratorRewards: own });

  it('apply to each candidate separately, and each candidate receives a share of their own reward', () => {
    const rivals = [
      candidate(1, { program: of, earned: { tier: earned(9_99) } }),
      candidate(2, { program: of, earned: { tier: earned(10_00) } }),
      candidate(3, { program: of, earned: { tier: earned(10_00) } }),
    ];
    const decision = decideSale(sale(), rivals, []);
    // Each collaborator receives one third of their own reward of 10.00, 20.00 or 30.00.
    assert.deepEqual(shares(decision), [
      [1, 333],
      [2, 667],
      [3, 1000],
    ]);
    assert.deepEqual(
      decision.candidates.map(({ terms, tierFrom, earnedForTier, reward }) => ({
        terms,
        tierFrom,
        earnedForTier,
        reward,
      })),
      [
        { terms: undefined, tierFrom: undefined, earnedForTier: earned(9_99), reward: 2000n },
        { terms: 'tier', tierFrom: 1000n, earnedForTier: earned(10_00), reward: 2000n },
        { terms: 'own', tierFrom: undefined, earnedForTier: earned(10_00), reward: 2000n },
      ],
    );
  });

  it('countedSpans: returns the periods in which earnings count toward tiers and the cap', () => {
    const soldAt = at('2026-03-15T12:00:00Z');
    assert.deepEqual(countedSpans(program(), soldAt), { tier: null, cap: null });
    assert.deepEqual(
      countedSpans(program({ tiers: ten, capPerPeriod: { period: 'year', amount: minor(1) } }), soldAt),
      {
        tier: { startsAt: at('2026-03-01T00:00:00Z'), endsAt: at('2026-04-01T00:00:00Z') },
        cap: { startsAt: at('2026-01-01T00:00:00Z'), endsAt: at('2027-01-01T00:00:00Z') },
      },
    );
  });
});

describe('commission caps', () => {
  const arithmetic = ({ outcome, reason, uncapped, reward, cut, share, earnedForCap }: ExplainedCandidate) => ({
    outcome,
    reason,
    uncapped,
    reward,
    cut,
    share,
    earnedForCap,
  });
  const none = { reason: undefined, uncapped: undefined, cut: undefined, earnedForCap: undefined };

  it('cut the combined reward per order, and record the uncapped amount', () => {
    const of = program({ attribution: 'linear', capPerOrder: minor(5_01) });
    const decision = decideSale(sale(), [candidate(1, { program: of }), candidate(2, { program: of })], []);
    assert.deepEqual(decision.candidates.map(arithmetic), [
      { ...none, outcome: 'won', uncapped: 1000n, reward: 501n, share: 251n },
      { ...none, outcome: 'won', uncapped: 1000n, reward: 501n, share: 250n },
    ]);
  });

  it('cut a share to the remainder of the cap per period, without redistributing the difference', () => {
    const of = program({ attribution: 'linear', capPerPeriod: { period: 'month', amount: minor(6_00) } });
    const rivals = [0, 2_00, 6_00].map((before, n) =>
      candidate(n + 1, { program: of, earned: { cap: earned(before) } }),
    );
    const decision = decideSale(sale({ lines: [line(150_00)] }), rivals, []);
    assert.deepEqual(shares(decision), [
      [1, 500],
      [2, 400],
    ]);
    assert.deepEqual(decision.candidates.map(arithmetic), [
      { ...none, outcome: 'won', reward: 1500n, share: 500n, earnedForCap: 0n },
      { ...none, outcome: 'won', reason: 'cap-reached', reward: 1500n, cut: 100n, share: 400n, earnedForCap: 200n },
      { ...none, outcome: 'lost', reason: 'cap-reached', reward: 1500n, cut: 500n, share: 0n, earnedForCap: 600n },
    ]);
  });
});
