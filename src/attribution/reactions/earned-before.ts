import type { Minor } from '#core/money.ts';
import type { Span } from '#core/period.ts';
import { isCountedAt, type PlacedAward, type Sight } from '../domain/placed-award.ts';
import { type Award, countedSpans } from '../domain/sale-decision.ts';
import type { Candidate } from '../domain/facts.ts';
import type { AwardCounter, CounterHistory } from '../store/award-counters.ts';
import type { Claim, SaleFacts } from './load-facts.ts';
import { type Earned, withinAmounts } from '#programs/domain/reward.ts';

/** The distinct counters that caps and tiers use, by their keys. */
export type Counters = ReadonlyMap<string, AwardCounter>;

/** Returns the value of a counter for one decision, by the key of the counter. */
export type EarnedBefore = (key: string) => Earned;

const NOTHING: Earned = { sum: 0n as Minor, count: 0 };

export function countersOf(sales: readonly SaleFacts[]): Counters {
  const counters = new Map<string, AwardCounter>();
  for (const facts of sales) {
    for (const claim of facts.claims) {
      for (const span of Object.values(spansOf(facts, claim))) {
        if (span !== null) counters.set(counterKey(claim, span), counterOf(claim, span));
      }
    }
  }
  return counters;
}

/** Returns the claims of a sale as candidates, with the sums for their caps and tiers. */
export function candidatesOf(facts: SaleFacts, earned: EarnedBefore): (Claim & Candidate)[] {
  return facts.claims.map((claim) => {
    const { tier, cap } = spansOf(facts, claim);
    return { ...claim, earned: { tier: read(claim, tier), cap: read(claim, cap) } };
  });

  function read(claim: Claim, span: Span | null): Earned {
    return span === null ? NOTHING : withinAmounts(earned(counterKey(claim, span)));
  }
}

/**
 * The history of counters. `at` returns their values for a decision at a position, and `addAwards` adds the awards of a
 * decision.
 */
export type EarnedHistory = {
  readonly at: (sight: Sight) => EarnedBefore;
  readonly addAwards: (facts: SaleFacts, awards: readonly Award[]) => void;
};

/** Creates a history from loaded values, which are in the order of `counters`. */
export function earnedHistory(counters: Counters, { earned, awards }: CounterHistory): EarnedHistory {
  const byKey = new Map<string, { readonly before: Earned; readonly placed: PlacedAward[] }>(
    [...counters.keys()].map((key, n) => [
      key,
      { before: earned[n] ?? NOTHING, placed: awards.filter((award) => award.n === n) },
    ]),
  );
  return {
    at: (sight) => (key) => {
      const { before, placed } = byKey.get(key) ?? { before: NOTHING, placed: [] };
      const counted = placed.filter((award) => isCountedAt(award, sight));
      const sum = counted.reduce((total, { amount }) => total + amount, before.sum as bigint);
      const number = counted.reduce((total, { count }) => total + count, before.count);
      return { sum: sum as Minor, count: number };
    },
    addAwards: ({ sale }, added) => {
      for (const award of added) {
        for (const [key, { programId, collaboratorId, currency, span }] of counters) {
          const isIn =
            programId === award.programId &&
            collaboratorId === award.collaboratorId &&
            currency === award.currency &&
            span.startsAt <= sale.soldAt &&
            sale.soldAt < span.endsAt;
          if (isIn) byKey.get(key)?.placed.push({ ...sale, amount: award.amount, count: 1, rejection: null });
        }
      }
    },
  };
}

function spansOf({ sale }: SaleFacts, { program }: Claim): ReturnType<typeof countedSpans> {
  return countedSpans(program, sale.soldAt);
}

function counterOf({ programId, collaboratorId, program }: Claim, span: Span): AwardCounter {
  return { programId, collaboratorId, currency: program.currency, span };
}

function counterKey({ programId, collaboratorId, program }: Claim, { startsAt, endsAt }: Span): string {
  return `${programId} ${collaboratorId} ${program.currency} ${startsAt} ${endsAt}`;
}
