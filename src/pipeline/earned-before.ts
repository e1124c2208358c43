import type { Minor } from '#domain/money.ts';
import type { Span } from '#domain/period.ts';
import { type Award, type Candidate, countedSpans, type Earned } from '#domain/sale-decision.ts';
import type { AwardCounter } from '#store/award-counters.ts';
import type { Claim, SaleFacts } from './load-facts.ts';

/** What was awarded before, for the caps and tiers of some sales; it grows with each decision. */
export type EarnedBefore = {
  readonly candidates: (facts: SaleFacts) => (Claim & Candidate)[];
  readonly add: (facts: SaleFacts, awards: readonly Award[]) => void;
};

const NOTHING: Earned = { sum: 0n as Minor, count: 0 };

/** The counters that the caps and tiers of these sales look at, each once. `load` answers what they say, in their order. */
export async function earnedBefore(
  sales: readonly SaleFacts[],
  load: (counters: readonly AwardCounter[]) => Promise<readonly Earned[]>,
): Promise<EarnedBefore> {
  const counters = new Map<string, AwardCounter>();
  for (const facts of sales) {
    for (const claim of facts.claims) {
      for (const span of Object.values(spansOf(facts, claim))) {
        if (span !== null) counters.set(counterKey(claim, span), counterOf(claim, span));
      }
    }
  }
  const loaded = counters.size === 0 ? [] : await load([...counters.values()]);
  const earned = new Map([...counters.keys()].map((key, n) => [key, loaded[n] ?? NOTHING]));

  return {
    candidates: (facts) =>
      facts.claims.map((claim) => {
        const { tier, cap } = spansOf(facts, claim);
        return { ...claim, earned: { tier: read(claim, tier), cap: read(claim, cap) } };
      }),
    add: ({ sale, claims }, awards) => {
      for (const award of awards) {
        const claim = claims.find((each) => each.programId === award.programId);
        if (claim?.program.currency !== award.currency) continue;
        for (const [key, { programId, collaboratorId, span }] of counters) {
          const counts =
            programId === award.programId &&
            collaboratorId === award.collaboratorId &&
            span.startsAt <= sale.soldAt &&
            sale.soldAt < span.endsAt;
          if (counts) earned.set(key, plus(earned.get(key) ?? NOTHING, award.amount));
        }
      }
    },
  };

  function read(claim: Claim, span: Span | null): Earned {
    return span === null ? NOTHING : (earned.get(counterKey(claim, span)) ?? NOTHING);
  }
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

function plus({ sum, count }: Earned, amount: Minor): Earned {
  return { sum: (sum + amount) as Minor, count: count + 1 };
}
