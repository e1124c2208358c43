import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { CollaboratorId, EventId, ProgramGroupId, ProgramId } from '#core/ids.ts';
import { ATTRIBUTION_MODELS, GROUP_RULES, type ProgramVersion, type Reward } from '#programs/domain/program.ts';
import { awardKey, correctedAwards } from '#attribution/domain/corrected-awards.ts';
import { decideSale } from '#attribution/domain/sale-decision.ts';
import type { Candidate, Sale } from '#attribution/domain/facts.ts';
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
  touched,
} from '../../support/decision-facts.ts';

const PROGRAMS = 4;
const COLLABORATORS = 6;

const anyReward: fc.Arbitrary<Reward> = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map(percent),
  fc.integer({ min: 1, max: 5_000 }).map((amount) => fixed('per-sale', amount)),
  fc.integer({ min: 1, max: 500 }).map((amount) => fixed('per-product', amount)),
);

function anyProgram(n: number): fc.Arbitrary<ProgramVersion> {
  return fc
    .record({
      reward: anyReward,
      attribution: fc.constantFrom(...ATTRIBUTION_MODELS),
      groupId: fc.constantFrom(null, 1 as ProgramGroupId),
      tiers: fc.option(
        anyReward.map((reward) => ({ period: 'month' as const, by: 'sum' as const, steps: [{ from: 500n, reward }] })),
      ),
      capPerOrder: fc.option(fc.integer({ min: 1, max: 2_000 }).map(minor)),
      capPerPeriod: fc.option(
        fc.integer({ min: 1, max: 2_000 }).map((amount) => ({ period: 'day' as const, amount: minor(amount) })),
      ),
      own: fc.option(anyReward),
      pays: fc.constant(['sale', 'renewal'] as const),
    })
    .map(({ own, ...terms }) => {
      const collaboratorRewards = own === null ? [] : [{ collaboratorId: 1 as CollaboratorId, reward: own }];
      return program({ ...terms, programId: n as ProgramId, collaboratorRewards });
    });
}

const anyPrograms = fc.tuple(...Array.from({ length: PROGRAMS }, (_, index) => anyProgram(index + 1)));

/** Candidates for one sale in several programs. Each candidate has its own engagement and touches. */
const anyCandidates: fc.Arbitrary<Candidate[]> = fc
  .record({
    programs: anyPrograms,
    rule: fc.constantFrom(...GROUP_RULES),
    claims: fc.array(
      fc.record({
        program: fc.nat(PROGRAMS - 1),
        collaborator: fc.integer({ min: 1, max: COLLABORATORS }),
        length: fc.nat(30),
        score: fc.integer({ min: 1, max: 9 }),
        before: fc.nat(2_500),
        completedBy: fc.constantFrom(null, 1 as EventId, 2 as EventId),
        active: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  })
  .map(({ programs, rule, claims }) =>
    claims.map((claim, index) => {
      const of = programs[claim.program] as ProgramVersion;
      return candidate(index + 1, {
        program: of,
        groupRule: of.groupId === null ? null : rule,
        collaboratorId: claim.collaborator as CollaboratorId,
        collaborator: { active: claim.active },
        completedBy: claim.completedBy,
        score: claim.score,
        ...touched(index + 1, index + 1 + claim.length),
        // All claims of a collaborator in a program have the same earlier earnings.
        earned: { tier: earned(claim.collaborator * 200), cap: earned(claim.collaborator * claim.program * 100) },
      });
    }),
  );

const anySale: fc.Arbitrary<Sale> = fc
  .record({
    amount: fc.integer({ min: 1, max: 100_000 }),
    quantity: fc.integer({ min: 1, max: 9 }),
    renews: fc.boolean(),
  })
  .map(({ amount, quantity, renews }) => ({ ...(renews ? renewal() : sale()), lines: [line(amount, { quantity })] }));

const anyCase = fc.tuple(anySale, anyCandidates).map(([given, candidates]) => ({
  given,
  candidates:
    given.renewal === null ? candidates : candidates.map((claim) => ({ ...claim, weight: BigInt(claim.score) })),
}));

describe('every decision on a sale', () => {
  it('gives shares and cap cuts that add up to each program’s reward', () => {
    fc.assert(
      fc.property(anyCase, ({ given, candidates }) => {
        const weighed = decideSale(given, candidates, []).candidates.filter(({ share }) => share !== undefined);
        for (const [of, outcomes] of Map.groupBy(weighed, ({ programId }) => programId)) {
          const terms = candidates.find((each) => each.program.programId === of)?.program;
          const sum = outcomes.reduce((total, { share = 0n, cut = 0n }) => total + share + cut, 0n);
          for (const { reward, uncapped } of outcomes) {
            assert.equal(reward, sum);
            assert.ok(terms?.capPerOrder == null || sum <= terms.capPerOrder);
            assert.ok(uncapped === undefined || (uncapped > sum && sum === terms?.capPerOrder));
          }
        }
      }),
    );
  });

  it('awards no collaborator more than the remainder of the cap per period', () => {
    fc.assert(
      fc.property(anyCase, ({ given, candidates }) => {
        for (const { programId, collaboratorId, amount } of decideSale(given, candidates, []).awards) {
          const claim = candidates.find(
            (each) => each.program.programId === programId && each.collaboratorId === collaboratorId,
          );
          const cap = claim?.program.capPerPeriod;
          assert.ok(claim !== undefined && (cap == null || amount + claim.earned.cap.sum <= cap.amount));
        }
      }),
    );
  });

  it('awards the same amounts when a correction repeats the original content', () => {
    let awarded = 0;
    fc.assert(
      fc.property(anyCase, ({ given, candidates }) => {
        const decision = decideSale(given, candidates, []);
        const programs = [...new Set(candidates.map((each) => each.program))];
        const again = correctedAwards({ ...given, candidates: decision.candidates, programs }, given);
        for (const award of decision.awards) {
          awarded += 1;
          assert.equal(again.get(awardKey(award)), award.amount);
        }
        const sum = decision.awards.reduce((total, { amount }) => total + amount, 0n);
        assert.equal(
          [...again.values()].reduce((total, amount) => total + amount, 0n),
          sum,
        );
      }),
    );
    assert.ok(awarded > 50, `${awarded} awards`);
  });

  it('does not depend on the order of the candidates', () => {
    const shuffled = anyCase.chain(({ given, candidates }) =>
      fc.record({
        given: fc.constant(given),
        candidates: fc.constant(candidates),
        other: fc.shuffledSubarray(candidates, { minLength: candidates.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ given, candidates, other }) => {
        assert.deepEqual(decideSale(given, other, []), decideSale(given, candidates, []));
      }),
    );
  });

  it('lets only one of the eligible programs of a group pay', () => {
    fc.assert(
      fc.property(anyCase, ({ given, candidates }) => {
        const grouped = new Set(
          candidates.filter(({ groupRule }) => groupRule !== null).map(({ program: of }) => of.programId),
        );
        const outcomes = decideSale(given, candidates, []).candidates.filter(
          ({ programId }) => programId !== undefined && grouped.has(programId),
        );
        const weighed = new Set(outcomes.filter(({ share }) => share !== undefined).map(({ programId }) => programId));
        const shutOut = new Set(
          outcomes.filter(({ reason }) => reason === 'lost-in-group').map(({ programId }) => programId),
        );
        assert.ok(weighed.size <= 1 && (shutOut.size === 0 || weighed.size === 1));
        assert.ok([...shutOut].every((programId) => !weighed.has(programId)));
      }),
    );
  });

  it('has one award for each winner, with the winner’s share, and at most one per program and collaborator', () => {
    fc.assert(
      fc.property(anyCase, ({ given, candidates }) => {
        const decision = decideSale(given, candidates, []);
        const won = decision.candidates.filter(({ outcome }) => outcome === 'won');
        assert.deepEqual(
          decision.awards.map(({ programId, collaboratorId, amount }) => [programId, collaboratorId, amount]),
          won.map(({ programId, collaboratorId, share }) => [programId, collaboratorId, share]),
        );
        const pairs = decision.awards.map(({ programId, collaboratorId }) => `${programId} ${collaboratorId}`);
        assert.equal(new Set(pairs).size, pairs.length);
        assert.ok(decision.awards.every(({ amount, weight }) => amount > 0n && weight > 0n));
      }),
    );
  });
});
