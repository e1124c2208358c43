import { PLAIN_TERMS } from './plain-terms.ts';
import { NO_FRAUD_SIGNALS } from '#programs/domain/hold.ts';
import type { CandidateReason } from '#attribution/domain/explanation.ts';
import type {
  CollaboratorId,
  ConfigVersion,
  EngagementId,
  EventId,
  OpportunityId,
  ProgramGroupId,
  ProgramId,
} from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { ProgramVersion, Reward } from '#programs/domain/program.ts';
import type { Earned } from '#programs/domain/reward.ts';
import type { Line } from '#programs/domain/line.ts';
import type { GivenItem } from '#programs/domain/sold-lines.ts';
import type { Award, SaleDecision } from '#attribution/domain/sale-decision.ts';
import type { Candidate, Sale } from '#attribution/domain/facts.ts';

/* Builds facts for decisions. By default, a sale is a plain sale of 100.00 USD, and a program pays 10%. */
export const DAY = 86_400_000_000;
export const SOLD_AT = (100 * DAY) as Instant;

export function minor(amount: number): Minor {
  return BigInt(amount) as Minor;
}

/** Parses an RFC 3339 timestamp, which may have microseconds, and returns the instant. */
export function at(text: string): Instant {
  const [, whole, fraction = ''] = /^([^.Z]*)(?:\.(\d+))?Z$/.exec(text) as RegExpExecArray;
  return (Date.parse(`${whole}Z`) * 1000 + Number(fraction.padEnd(6, '0'))) as Instant;
}

export function percent(percentage: number): Reward {
  return { type: 'percent', ratePpm: Math.round(percentage * 10_000) };
}

export function fixed(type: Exclude<Reward['type'], 'percent'>, amount: number): Reward {
  return { type, amount: minor(amount) };
}

export function program(change: Partial<ProgramVersion> = {}): ProgramVersion {
  return {
    programId: 1 as ProgramId,
    version: 1,
    configVersion: 1 as ConfigVersion,
    name: 'Affiliates',
    ...PLAIN_TERMS,
    ...change,
  };
}

/** Returns program `n` as a member of group 1. */
export function inGroup(n: number, change: Partial<ProgramVersion> = {}): ProgramVersion {
  return program({ programId: n as ProgramId, groupId: 1 as ProgramGroupId, ...change });
}

export function earned(sum: number, count = 1): Earned {
  return { sum: minor(sum), count };
}

export type CandidateChange = Partial<Omit<Candidate, 'collaborator' | 'earned' | 'fraudSignals'>> & {
  collaborator?: Partial<Candidate['collaborator']>;
  earned?: Partial<Candidate['earned']>;
  fraudSignals?: Partial<Candidate['fraudSignals']>;
};

/** Returns a candidate of collaborator `n` whose first and last touch is event `n`. */
export function candidate(
  n: number,
  { collaborator, earned: before, fraudSignals, ...change }: CandidateChange = {},
): Candidate {
  return {
    engagementId: n as EngagementId,
    opportunityId: 1 as OpportunityId,
    program: program(),
    groupRule: null,
    collaboratorId: n as CollaboratorId,
    collaborator: { active: true, userId: null, enrolled: false, ...collaborator },
    completedBy: null,
    score: 1,
    weight: null,
    firstVisitId: n as EventId,
    lastVisitId: n as EventId,
    firstAt: (99 * DAY) as Instant,
    lastAt: (99 * DAY) as Instant,
    earned: { tier: earned(0, 0), cap: earned(0, 0), ...before },
    fraudSignals: { ...NO_FRAUD_SIGNALS, ...fraudSignals },
    ...change,
  };
}

/**
 * Returns a first and last touch with the given event numbers. Their times are equal, so the numbers decide their
 * order.
 */
export function touched(
  first: number,
  last: number,
): Pick<Candidate, 'firstVisitId' | 'lastVisitId' | 'firstAt' | 'lastAt'> {
  return {
    firstVisitId: first as EventId,
    lastVisitId: last as EventId,
    firstAt: (99 * DAY) as Instant,
    lastAt: (99 * DAY) as Instant,
  };
}

export function line(amount: number, change: Partial<Line> = {}): Line {
  const total = minor(amount * (change.quantity ?? 1));
  return { externalId: null, name: 'Order', type: 'product', quantity: 1, amount: minor(amount), total, ...change };
}

/** Returns an item as a report submits it, with the price of one unit. */
export function item(amount: number, change: Partial<GivenItem> = {}): GivenItem {
  const price = { of: 'unit', amount: { unit: 'hundredth', amount: minor(amount) } } as const;
  return { externalId: null, name: 'Order', type: 'product', quantity: 1, price, ...change };
}

export function sale(change: Partial<Sale> = {}): Sale {
  return {
    kind: 'sale',
    opportunityState: 'active',
    visitorUserId: null,
    currency: 'USD',
    total: minor(100_00),
    soldAt: SOLD_AT,
    lines: [line(100_00)],
    renewal: null,
    inPayableUnits: true,
    ...change,
  };
}

export function lead(change: Partial<Sale> = {}): Sale {
  return sale({ kind: 'lead', currency: 'XXX', total: minor(0), lines: [], ...change });
}

/** Returns renewal `number` of a sale that occurred at `originallySoldAt`. */
export function renewal(number = 1, originallySoldAt = SOLD_AT, change: Partial<Sale> = {}): Sale {
  return sale({ kind: 'renewal', renewal: { number, originallySoldAt }, ...change });
}

/** Returns each collaborator's amount, in the order of the awards. */
export function shares({ awards }: { readonly awards: readonly Award[] }): [collaborator: number, amount: number][] {
  return awards.map(({ collaboratorId, amount }) => [collaboratorId, Number(amount)]);
}

/** Returns each candidate's reason, or `won` for a winner without a reason, by collaborator. */
export function reasons({ candidates }: SaleDecision): Record<number, CandidateReason | 'won'> {
  return Object.fromEntries(
    candidates.map(({ collaboratorId, reason, outcome }) => [collaboratorId, reason ?? (outcome as 'won')]),
  );
}
