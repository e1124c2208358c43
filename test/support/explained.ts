import { PLAIN_TERMS } from './plain-terms.ts';
import type {
  ExplainedCandidate,
  CandidateReason,
  Circumstances,
  ExplainedConversion,
  ExplainedTransaction,
  Explanation,
} from '#attribution/domain/explanation.ts';
import { explanationText } from '#attribution/wording/explanation-text.ts';
import type { CollaboratorId, ConfigVersion, ConversionId, ProgramId, TransactionId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { Period } from '#core/period.ts';
import type { ProgramVersion, Tiers } from '#programs/domain/program.ts';

/* Builds the data of explanations, as loaded from the database: by default, an order of 49.99 USD. */

export const ANN = 7 as CollaboratorId;
export const BO = 8 as CollaboratorId;
export const CY = 9 as CollaboratorId;

/** Returns the lines of the explanation's text. */
export function textOf(explanation: Explanation, change: Partial<Circumstances> = {}): string[] {
  return explanationText(explanation, circumstancesWith(change)).split('\n');
}

/** Returns the explanation's line about Ann, the only winner, for the given numbers and terms. */
export function winner(numbers: Partial<ExplainedCandidate>, terms: Partial<ProgramVersion> = {}): string {
  return textOf(sale([won(ANN, numbers)]), { programs: [program(terms)] })[1] ?? '';
}

/** Returns the part of a candidate's line between the program and the touches. */
export function sumIn(line: string): string {
  return line.replace(/^.*?version \d\): /, '').replace(/\. (Touches|Credited) .*$/, '');
}

export function sale(candidates: readonly ExplainedCandidate[]): Explanation {
  return {
    transactionId: 31 as TransactionId,
    kind: 'sale',
    transaction: transaction(),
    decidedAt: seconds('2026-11-21T09:30:01Z'),
    base: m(4999),
    currency: 'USD',
    reason: null,
    candidates,
    omitted: 0,
  };
}

export function transaction(change: Partial<ExplainedTransaction> = {}): ExplainedTransaction {
  return {
    source: 'shop',
    externalId: 'order-1001',
    occurredAt: seconds('2026-11-21T09:30:00Z'),
    total: m(4999),
    renewal: null,
    ...change,
  };
}

export function circumstancesWith(change: Partial<Circumstances> = {}): Circumstances {
  return {
    programs: [program()],
    collaborators: new Map([
      [ANN, 'Ann'],
      [BO, 'Bo'],
      [CY, 'Cy'],
    ]),
    conversions: [],
    omittedConversions: 0,
    refunds: [],
    omittedRefunds: 0,
    corrections: [],
    ...change,
  };
}

/** Returns a candidate that won the whole commission: 10% of 49.99. */
export function won(collaboratorId: CollaboratorId, change: Partial<ExplainedCandidate> = {}): ExplainedCandidate {
  return {
    ...considered(collaboratorId),
    outcome: 'won',
    base: m(4999),
    quantity: 1,
    weight: 1,
    reward: m(500),
    share: m(500),
    ...change,
  };
}

export function lost(
  collaboratorId: CollaboratorId,
  reason: CandidateReason,
  change: Partial<ExplainedCandidate> = {},
): ExplainedCandidate {
  return { ...considered(collaboratorId), outcome: 'lost', reason, ...change };
}

function considered(collaboratorId: CollaboratorId): Omit<ExplainedCandidate, 'outcome'> {
  return {
    collaboratorId,
    programId: 5 as ProgramId,
    programVersion: 2,
    score: 1,
    firstAt: seconds('2026-11-20T08:00:00Z'),
    lastAt: seconds('2026-11-21T09:00:00Z'),
  };
}

export function conversion(change: Partial<ExplainedConversion> = {}): ExplainedConversion {
  return {
    id: 41 as ConversionId,
    type: 'sale',
    collaboratorId: ANN,
    programId: 5 as ProgramId,
    programVersion: 2,
    awarded: m(500),
    amount: m(500),
    currency: 'USD',
    status: 'pending',
    awardedAt: seconds('2026-11-21T09:30:01Z'),
    ...change,
  };
}

export function program(change: Partial<ProgramVersion> = {}): ProgramVersion {
  return {
    programId: 5 as ProgramId,
    version: 2,
    configVersion: 1 as ConfigVersion,
    name: 'Friends',
    ...PLAIN_TERMS,
    pays: ['sale', 'renewal'],
    ...change,
  };
}

/** Returns tiers with one step for each threshold in `from`. Each step pays 15%. */
export function tiers(by: Tiers['by'], period: Period, from: readonly bigint[]): Tiers {
  return { by, period, steps: from.map((each) => ({ from: each, reward: { type: 'percent', ratePpm: 150_000 } })) };
}

export function m(amount: number): Minor {
  return BigInt(amount) as Minor;
}

export function seconds(time: string): Instant {
  return (Date.parse(time) * 1000) as Instant;
}
