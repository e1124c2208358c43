import type { Minor } from '#domain/money.ts';
import type { Span } from '#domain/period.ts';
import { type Award, type Candidate, countedSpans, type Earned, withinAmounts } from '#domain/sale-decision.ts';
import type { AwardCounter } from '#store/award-counters.ts';
import type { Claim, SaleFacts } from './load-facts.ts';

/** The counters that caps and tiers look at, each once, by their keys. */
export type Counters = ReadonlyMap<string, AwardCounter>;

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

/** The claims of a sale as candidates, with what their caps and tiers count; `earned` answers by the key of a counter. */
export function candidatesOf(facts: SaleFacts, earned: (key: string) => Earned | undefined): (Claim & Candidate)[] {
  return facts.claims.map((claim) => {
    const { tier, cap } = spansOf(facts, claim);
    return { ...claim, earned: { tier: read(claim, tier), cap: read(claim, cap) } };
  });

  function read(claim: Claim, span: Span | null): Earned {
    return span === null ? NOTHING : withinAmounts(earned(counterKey(claim, span)) ?? NOTHING);
  }
}

/** What a sale has awarded counts for those after it. */
export function addAwards(
  earned: Map<string, Earned>,
  counters: Counters,
  { sale, claims }: SaleFacts,
  awards: readonly Award[],
): void {
  for (const award of awards) {
    const claim = claims.find((each) => each.programId === award.programId);
    if (claim?.program.currency !== award.currency) continue;
    for (const [key, { programId, collaboratorId, span }] of counters) {
      const counts =
        programId === award.programId &&
        collaboratorId === award.collaboratorId &&
        span.startsAt <= sale.soldAt &&
        sale.soldAt < span.endsAt;
      if (counts) earned.set(key, plus(earned.get(key), award.amount, 1));
    }
  }
}

export function plus({ sum, count }: Earned = NOTHING, amount: bigint, number: number): Earned {
  return { sum: (sum + amount) as Minor, count: count + number };
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
