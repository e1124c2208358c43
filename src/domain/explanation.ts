import type { LosingReason } from './attribution.ts';
import type { CollaboratorId, EngagementId, ProgramId, TransactionId } from './ids.ts';
import type { Instant } from './instant.ts';
import { formatInstant } from './instant.ts';
import { formatMajor, type Minor } from './money.ts';
import type { ProgramVersion, Reward } from './program.ts';
import type { UnengagedReason } from './visit.ts';

/** Why a candidate was dropped before attribution, in the order in which the rules are looked at. */
export type DropReason =
  | 'program-inactive'
  | 'event-not-paid'
  | 'collaborator-inactive'
  | 'not-enrolled'
  | 'self-referral'
  | 'already-credited'
  | 'window-expired'
  | 'currency-mismatch'
  | 'nothing-counted';

/** Why a sale as a whole earned nobody anything. */
export type SaleReason = 'no-engagement' | 'opportunity-invalid' | 'opportunity-removed';

export type CandidateReason = DropReason | LosingReason | UnengagedReason | 'share-is-zero';

/** What became of one candidate. One that never engaged (`self-referral`, …) has a collaborator and a reason only. */
export type Candidate = {
  readonly collaboratorId: CollaboratorId;
  readonly outcome: 'won' | 'lost';
  readonly reason?: CandidateReason;
  readonly programId?: ProgramId;
  readonly programVersion?: number;
  readonly engagementId?: EngagementId;
  readonly score?: number;
  readonly firstAt?: Instant;
  readonly lastAt?: Instant;
  /** Sum of the lines that count in this program, and the pieces of those that are no discount. */
  readonly base?: Minor;
  readonly quantity?: number;
  /** Its part in the split; 0 for one that the attribution model leaves out. */
  readonly weight?: number;
  /** What the program pays for this sale in all, rounded once. */
  readonly reward?: Minor;
  readonly share?: Minor;
};

export type Explanation = {
  readonly transactionId: TransactionId;
  readonly decidedAt: Instant;
  readonly base: Minor;
  readonly currency: string;
  readonly reason: SaleReason | null;
  readonly candidates: readonly Candidate[];
  /** Candidates beyond MAX_LISTED_CANDIDATES. */
  readonly omitted: number;
};

export const MAX_LISTED_CANDIDATES = 200;

/** One sentence for each reason code, as the docs list them. */
export const REASON_SENTENCES: Readonly<Record<CandidateReason | SaleReason, string>> = {
  'program-inactive': 'the program was not active',
  'event-not-paid': 'the program does not pay for sales',
  'collaborator-inactive': 'the collaborator was not active',
  'not-enrolled': 'the collaborator was not enrolled in the program',
  'self-referral': 'the collaborator is the buyer',
  'already-credited': 'an earlier sale of this visitor was credited, and the program credits a visitor once',
  'window-expired': 'the last visit was longer ago than the program’s window',
  'currency-mismatch': 'the program pays a fixed amount in another currency than the sale’s',
  'nothing-counted': 'the lines that count add up to nothing',
  'lost-to-newer': 'a newer visit gets the credit',
  'lost-to-older': 'an older visit gets the credit',
  'lost-to-higher': 'a higher score gets the credit',
  'share-is-zero': 'the share rounds to nothing',
  'no-program': 'no active program listened to the visit',
  'no-engagement': 'no visit of a collaborator led to this sale',
  'opportunity-invalid': 'the opportunity is invalid',
  'opportunity-removed': 'the opportunity is older than what is kept',
};

/** The explanation as a merchant reads it. `programs` are the versions that its candidates name. */
export function explanationText(explanation: Explanation, programs: readonly ProgramVersion[]): string {
  const { base, currency, reason, candidates, omitted, transactionId } = explanation;
  const won = candidates.filter(({ outcome }) => outcome === 'won');
  const lost = candidates.filter(({ outcome }) => outcome === 'lost');
  const lines = [
    `Transaction ${transactionId}: ${money(base, currency)} of products and discounts. ` +
      (won.length > 0 ? `${count(won.length, 'collaborator')} earned.` : 'Nobody earned.'),
    ...(reason === null ? [] : [`Why: ${REASON_SENTENCES[reason]} (${reason}).`]),
    ...won.map((candidate) => winnerText(candidate, currency, programs)),
    ...lost.map((candidate) => loserText(candidate, programs)),
    ...(omitted > 0 ? [`${omitted} more candidates are not listed.`] : []),
  ];
  return lines.join('\n');
}

function winnerText(candidate: Candidate, currency: string, programs: readonly ProgramVersion[]): string {
  const program = programs.find(isOf(candidate));
  const { collaboratorId, share, reward, weight } = candidate;
  if (program === undefined || share === undefined || reward === undefined) {
    return `Collaborator ${collaboratorId} earned ${money(share ?? (0n as Minor), currency)}.`;
  }
  const split =
    share === reward ? '' : `; its part by ${program.attribution}, weight ${weight}, is ${money(share, currency)}`;
  return (
    `Collaborator ${collaboratorId} earned ${money(share, currency)} in ${named(program)}: ` +
    `${arithmetic(program.reward, candidate, currency)} = ${money(reward, currency)}${split}. ${touched(candidate)}`
  );
}

function loserText(candidate: Candidate, programs: readonly ProgramVersion[]): string {
  const program = programs.find(isOf(candidate));
  const where = program === undefined ? '' : ` in ${named(program)}`;
  const { collaboratorId, reason } = candidate;
  const why = reason === undefined ? '' : `: ${REASON_SENTENCES[reason]} (${reason})`;
  return `Collaborator ${collaboratorId} earned nothing${where}${why}. ${touched(candidate)}`.trimEnd();
}

function arithmetic(reward: Reward, { base, quantity }: Candidate, currency: string): string {
  switch (reward.type) {
    case 'percent':
      return `${reward.ratePpm / 10_000} % of ${money(base ?? (0n as Minor), currency)}`;
    case 'per-sale':
      return `${money(reward.amount, currency)} a sale`;
    case 'per-product':
      return `${money(reward.amount, currency)} × ${quantity}`;
    default:
      return reward satisfies never;
  }
}

function touched({ firstAt, lastAt, score }: Candidate): string {
  if (firstAt === undefined || lastAt === undefined) return '';
  const when =
    firstAt === lastAt ? `on ${formatInstant(firstAt)}` : `from ${formatInstant(firstAt)} to ${formatInstant(lastAt)}`;
  return `Visits ${when}, score ${score}.`;
}

function isOf({ programId, programVersion }: Candidate): (program: ProgramVersion) => boolean {
  return (program) => program.programId === programId && program.version === programVersion;
}

function named({ name, programId, version }: ProgramVersion): string {
  return `“${name}” (program ${programId}, version ${version})`;
}

function money(amount: Minor, currency: string): string {
  return `${formatMajor(amount)} ${currency}`;
}

function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}
