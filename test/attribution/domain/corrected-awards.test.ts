import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CollaboratorId, EngagementId, EventId, ProgramId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import { correctedAwards, type SaleContent } from '#attribution/domain/corrected-awards.ts';
import { decideSale } from '#attribution/domain/sale-decision.ts';
import type { Candidate } from '#attribution/domain/facts.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import {
  candidate,
  earned,
  fixed,
  line,
  minor,
  percent,
  program,
  renewal,
  sale,
  SOLD_AT,
} from '../../support/decision-facts.ts';

describe('the awards of a corrected sale', () => {
  /** Decides a sale, by default of 100.00, and returns the awards after a correction, by collaborator id. */
  function corrected(
    terms: Partial<ProgramVersion>,
    content: SaleContent,
    claims: readonly Partial<Candidate>[] = [{}],
    given = sale(),
  ): Record<number, bigint> {
    const of = program(terms);
    const candidates = claims.map((claim, n) => candidate(n + 1, { program: of, ...claim }));
    const decision = decideSale(given, candidates, []);
    const again = correctedAwards({ ...given, candidates: decision.candidates, programs: [of] }, content);
    return Object.fromEntries([...again].map(([key, amount]) => [Number(key.split(' ')[1]), amount]));
  }
  const of = (total: number, lines = [line(total)]): SaleContent => ({ total: minor(total), lines });

  it('apply the rates and amounts of the decision to the new content', () => {
    assert.deepEqual(corrected({}, of(150_00)), { 1: 15_00n });
    assert.deepEqual(corrected({ reward: fixed('per-sale', 700) }, of(150_00)), { 1: 700n });
    const three = of(150_00, [line(50_00, { quantity: 3 })]);
    assert.deepEqual(corrected({ reward: fixed('per-product', 200) }, three), { 1: 600n });
  });

  it('use the terms of the decision: a tier, an individual reward, or a reward for renewals', () => {
    const tiers = { period: 'month', by: 'sum', steps: [{ from: 500n, reward: percent(20) }] } as const;
    const before = { earned: { tier: earned(600), cap: earned(0, 0) } };
    assert.deepEqual(corrected({ tiers }, of(50_00), [before]), { 1: 10_00n });
    const collaboratorRewards = [{ collaboratorId: 1 as CollaboratorId, reward: percent(50) }];
    assert.deepEqual(corrected({ tiers, collaboratorRewards }, of(50_00), [before]), { 1: 25_00n });
    const renewalRewards = [{ afterMonths: 0, reward: percent(30) }];
    const renewed = renewal(1, (SOLD_AT - 1000) as Instant);
    const terms = { pays: ['renewal'], renewalRewards } as const;
    assert.deepEqual(corrected(terms, of(50_00), [{ weight: 1n }], renewed), { 1: 15_00n });
  });

  it('are split with the weights of the decision, and the extra cent goes to the oldest claim', () => {
    const linear = { attribution: 'linear' } as const;
    assert.deepEqual(corrected(linear, of(10), [{}, {}]), { 1: 1n, 2: 0n });
    assert.deepEqual(corrected(linear, of(200_10), [{}, {}]), { 1: 10_01n, 2: 10_00n });
    const younger = { firstAt: (SOLD_AT - 10) as Instant };
    assert.deepEqual(corrected(linear, of(10), [younger, {}]), { 1: 0n, 2: 1n });
    const later = { firstVisitId: 9 as EventId, engagementId: 1 as EngagementId };
    const earlier = { firstVisitId: 8 as EventId, engagementId: 2 as EngagementId };
    assert.deepEqual(corrected(linear, of(10), [later, earlier]), { 1: 0n, 2: 1n });
    const manual = { firstVisitId: 7 as EventId, engagementId: null };
    assert.deepEqual(corrected(linear, of(10), [manual, { ...manual, engagementId: 9 as EngagementId }]), {
      1: 0n,
      2: 1n,
    });
    assert.deepEqual(corrected(linear, of(10), [manual, manual]), { 1: 1n, 2: 0n });
  });

  it('respect both caps, with the earlier earnings that the decision counted', () => {
    assert.deepEqual(corrected({ capPerOrder: minor(12_00) }, of(500_00)), { 1: 12_00n });
    const capPerPeriod = { period: 'month', amount: minor(20_00) } as const;
    const before = { earned: { tier: earned(0, 0), cap: earned(5_00) } };
    assert.deepEqual(corrected({ capPerPeriod }, of(500_00), [before]), { 1: 15_00n });
  });

  it('are 0 if no line counts, or if the total is below the minimum', () => {
    assert.deepEqual(corrected({}, of(50_00, [line(50_00, { type: 'shipping' })])), { 1: 0n });
    assert.deepEqual(corrected({}, of(0, [line(10_00), line(-20_00, { type: 'discount' })])), { 1: 0n });
    assert.deepEqual(corrected({ minimumOrder: minor(60_00) }, of(59_99)), { 1: 0n });
    assert.deepEqual(corrected({ minimumOrder: minor(60_00) }, of(60_00)), { 1: 6_00n });
  });

  it('are whole units in a currency without decimals, unless an earlier release decided the sale', () => {
    const yen = { currency: 'JPY', reward: percent(10) };
    assert.deepEqual(corrected(yen, of(155_00), [{}], sale({ currency: 'JPY' })), { 1: 16_00n });
    assert.deepEqual(corrected(yen, of(155_00), [{}], sale({ currency: 'JPY', inPayableUnits: false })), { 1: 15_50n });
  });

  it('omit candidates that the decision dropped, or whose program is unknown', () => {
    assert.deepEqual(corrected({ status: 'inactive' }, of(50_00)), {});
    const candidates = decideSale(sale(), [candidate(1)], []).candidates;
    const other = program({ programId: 2 as ProgramId });
    assert.deepEqual([...correctedAwards({ ...sale(), candidates, programs: [other] }, of(50_00))], []);
  });

  it('can’t be computed if the program version lacks the recorded terms', () => {
    const [first] = decideSale(sale(), [candidate(1)], []).candidates;
    assert.ok(first);
    const candidates = [{ ...first, terms: 'tier', tierFrom: 7n } as const];
    assert.throws(
      () => correctedAwards({ ...sale(), candidates, programs: [program()] }, of(50_00)),
      /Program 1 has no reward of the kind tier\./,
    );
  });
});
