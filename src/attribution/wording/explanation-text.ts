import { arithmetic } from './explanation-arithmetic.ts';
import type {
  ExplainedCandidate,
  CandidateReason,
  Circumstances,
  ExplainedConversion,
  ExplainedCorrection,
  ExplainedHold,
  ExplainedRefund,
  Explanation,
  WeighedCandidate,
} from '../domain/explanation.ts';
import { holdDetail } from './hold-details.ts';
import { HOLD_SENTENCES, REASON_SENTENCES, UNENGAGED_SENTENCES } from './reason-sentences.ts';
import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import { formatInstant, type Instant, MICROSECONDS_PER_DAY } from '#core/instant.ts';
import { count } from '#core/count.ts';
import { formatMajor, type Minor } from '#core/money.ts';
import type { PayableKind, ProgramVersion, RenewalLimit } from '#programs/domain/program.ts';
import type { RefundKind } from '#sales/domain/refund.ts';

/**
 * Returns the explanation for a merchant, one fact per line. It contains the transaction, the earners with their
 * calculations, the other candidates with their reasons, and later changes. The text itself is not stored, so the
 * wording can change but the numbers can't.
 */
export function explanationText(explanation: Explanation, circumstances: Circumstances): string {
  const { reason, candidates, omitted } = explanation;
  const context: Context = { explanation, circumstances };
  const won = candidates.filter(({ outcome }) => outcome === 'won');
  const lost = candidates.filter(({ outcome }) => outcome === 'lost');
  return [
    `${transactionText(context)} ${summary(won, omitted)}`,
    ...(reason === null ? [] : [`Why: ${REASON_SENTENCES[reason]} (${reason}).`]),
    ...won.map((candidate) => winnerText(context, candidate)),
    ...lost.map((candidate) => loserText(context, candidate)),
    ...notListed(omitted, 'candidate'),
    ...circumstances.corrections.map((correction) => correctionText(explanation, correction)),
    ...circumstances.refunds.map((refund) => refundText(context, refund)),
    ...notListed(circumstances.omittedRefunds, 'refund'),
    ...circumstances.conversions.map((conversion) => conversionText(context, conversion)),
    ...notListed(circumstances.omittedConversions, 'conversion'),
  ].join('\n');
}

/**
 * The parts of the text about a candidate or an award: names, the steps of the calculation, and the reason for losing.
 */
export type ExplainedWords = {
  readonly collaboratorName?: string;
  readonly programName?: string;
  readonly steps?: readonly string[];
  readonly why?: string;
  /** The reasons for a fraud review, one sentence each. */
  readonly holds?: readonly string[];
};

/** Returns the texts about one candidate, for pages that lay them out themselves. */
export function candidateWords(
  explanation: Explanation,
  circumstances: Circumstances,
  candidate: ExplainedCandidate,
): ExplainedWords {
  const context: Context = { explanation, circumstances };
  const { reason, outcome } = candidate;
  const won = outcome === 'won';
  return {
    ...namesOf(circumstances, candidate),
    ...(won ? { steps: steps(context, weighedOf(candidate)) } : {}),
    // For a winner, the steps already show the effect of a cap, so the reason needs no details.
    ...(reason === undefined
      ? {}
      : { why: `${reasonText(candidate, reason)}${won ? '' : detail(context, candidate, reason)}` }),
    ...(candidate.hold === undefined ? {} : { holds: holdWords(context, candidate, candidate.hold) }),
  };
}

/**
 * Returns the texts about one award. Only a manual credit has its own steps. Other awards use the steps of their
 * candidate.
 */
export function conversionWords(
  explanation: Explanation,
  circumstances: Circumstances,
  conversion: ExplainedConversion,
): ExplainedWords {
  const { explained } = conversion;
  return {
    ...namesOf(circumstances, conversion),
    ...(explained === undefined ? {} : { steps: stepsAlone({ explanation, circumstances }, explained) }),
  };
}

type Context = { readonly explanation: Explanation; readonly circumstances: Circumstances };

function transactionText({ explanation, circumstances }: Context): string {
  const { kind, transaction, base, currency } = explanation;
  const { total } = transaction;
  const which = circumstances.isImagined ? imaginedText(explanation) : recordedText(explanation);
  if (kind === 'lead') return `${which}.`;
  return `${which}: total ${money(total, currency)}, products and discounts ${money(base, currency)}.`;
}

function recordedText({ kind, transactionId, transaction }: Explanation): string {
  const { source, externalId, occurredAt, renewal } = transaction;
  const what = kind === 'renewal' ? `Renewal ${renewal?.number} of transaction ${renewal?.of},` : NOUNS[kind];
  return `${what} “${externalId}” from “${source}” (transaction ${transactionId}) on ${time(occurredAt)}`;
}

function imaginedText({ kind, transaction }: Explanation): string {
  return kind === 'renewal' ? `Renewal ${transaction.renewal?.number} of a sale` : NOUNS[kind];
}

const NOUNS = { sale: 'Sale', lead: 'Lead' } as const;

/**
 * Returns a sentence with the number of earners. A truncated list may omit some of the winners, but never all of them.
 */
function summary(won: readonly ExplainedCandidate[], omitted: number): string {
  const earners = new Set(won.map(({ collaboratorId }) => collaboratorId)).size;
  if (earners === 0) return 'Nobody earned.';
  return `${omitted > 0 ? 'At least ' : ''}${count(earners, 'collaborator')} earned.`;
}

function winnerText(context: Context, candidate: ExplainedCandidate): string {
  const { explanation, circumstances } = context;
  const weighed = weighedOf(candidate);
  const earned = money(weighed.share, candidate.currency ?? explanation.currency);
  const code = candidate.reason === undefined ? '' : ` (${candidate.reason})`;
  return (
    `${collaboratorText(circumstances, candidate.collaboratorId)} earned ${earned}${programSuffix(circumstances, candidate)}: ` +
    `${sum(context, weighed)}${code}. ${touchesText(context, candidate)}${heldText(context, candidate)}`
  ).trimEnd();
}

/** Returns the reasons for a fraud review as sentences with codes, for the end of the text about a winner. */
function heldText(context: Context, candidate: ExplainedCandidate): string {
  const { hold } = candidate;
  if (hold === undefined) return '';
  const words = holdWords(context, candidate, hold).map((sentence, n) => `${sentence} (${hold.reasons[n]})`);
  return ` Held for review: ${words.join('; ')}.`;
}

function holdWords(
  { explanation, circumstances }: Context,
  candidate: ExplainedCandidate,
  hold: ExplainedHold,
): string[] {
  const holds = versionOf(circumstances, candidate)?.holds ?? null;
  return hold.reasons.map((reason) => {
    const sentence = HOLD_SENTENCES[reason];
    // Only an own coupon and a watched collaborator are evaluated again for a renewal. All other fraud signals are from
    // its sale.
    if (explanation.kind === 'renewal' && reason !== 'own-coupon' && reason !== 'watched-collaborator')
      return `its sale was held for review: ${sentence}`;
    const more = holdDetail(reason, hold, holds);
    return more === undefined ? sentence : `${sentence}: ${more}`;
  });
}

function loserText(context: Context, candidate: ExplainedCandidate): string {
  const { circumstances } = context;
  const { collaboratorId, reason } = candidate;
  const why =
    reason === undefined ? '' : `: ${reasonText(candidate, reason)} (${reason})${detail(context, candidate, reason)}`;
  const line = `${collaboratorText(circumstances, collaboratorId)} earned nothing${programSuffix(circumstances, candidate)}${why}.`;
  return `${line} ${touchesText(context, candidate)}`.trimEnd();
}

/** Returns the sentence for a reason. If the candidate has no program, the sentence is about the touch. */
function reasonText({ programId }: ExplainedCandidate, reason: CandidateReason): string {
  const ofTouch: Readonly<Partial<Record<CandidateReason, string>>> =
    programId === undefined ? UNENGAGED_SENTENCES : {};
  return ofTouch[reason] ?? REASON_SENTENCES[reason];
}

/** Returns the details of a reason, such as numbers or names, as text. The text is empty if there are none. */
function detail(context: Context, candidate: ExplainedCandidate, reason: CandidateReason): string {
  const program = versionOf(context.circumstances, candidate);
  const more = program === undefined ? '' : (DETAILS[reason]?.(context, candidate, program) ?? '');
  return more === '' ? '' : `: ${more}`;
}

/** The functions that return the details of a reason. Other reasons have no details. */
const DETAILS: Readonly<Partial<Record<CandidateReason, Detail>>> = {
  'event-not-paid': ({ explanation }, _, { pays }) => unpaidText(explanation.kind, pays),
  'window-expired': (_, __, { windowDays }) => count(windowDays, 'day'),
  'renewal-limit': (_, __, { renewalLimit }) => limitText(renewalLimit),
  'currency-mismatch': ({ explanation }, _, { currency }) => `${currency}, not ${explanation.currency}`,
  'nothing-counted': ({ explanation }, { base }) => (base === undefined ? '' : money(base, explanation.currency)),
  'below-minimum': ({ explanation }, _, { minimumOrder }) => minimumText(explanation, minimumOrder),
  'lost-in-group': groupWinner,
  'lost-to-newer': rivalWinner,
  'lost-to-older': rivalWinner,
  'lost-to-higher': rivalWinner,
  'share-is-zero': (context, candidate) => sum(context, weighedOf(candidate)),
  'cap-reached': (context, candidate) => sum(context, weighedOf(candidate)),
};
type Detail = (context: Context, candidate: ExplainedCandidate, program: ProgramVersion) => string;

/**
 * Explains why a program doesn't pay a kind of transaction. If the program pays this kind, the collaborator's reward is
 * for other kinds.
 */
function unpaidText(kind: PayableKind, pays: readonly PayableKind[]): string {
  if (!pays.includes(kind)) return `it pays for ${pays.map((each) => `${each}s`).join(' and ')}`;
  return kind === 'lead' ? 'the reward here is not for leads' : 'the reward here is for leads';
}

function limitText(limit: RenewalLimit | null): string {
  return [
    ...(limit?.months == null ? [] : [`for ${count(limit.months, 'month')}`]),
    ...(limit?.times == null ? [] : [`${count(limit.times, 'renewal')} at most`]),
  ].join(', ');
}

function minimumText({ transaction, currency }: Explanation, minimum: Minor | null): string {
  return minimum === null ? '' : `${formatMajor(transaction.total)} of ${money(minimum, currency)}`;
}

function groupWinner(
  { explanation, circumstances }: Context,
  _: ExplainedCandidate,
  { groupId, programId }: ProgramVersion,
): string {
  const winner = explanation.candidates
    .filter((each) => isWeighed(each) && each.programId !== programId)
    .map((each) => versionOf(circumstances, each))
    .find((version) => version !== undefined && version.groupId === groupId);
  return winner === undefined ? '' : programText(winner);
}

function rivalWinner({ explanation, circumstances }: Context, { programId }: ExplainedCandidate): string {
  const winner = explanation.candidates.find((each) => isWeighed(each) && each.programId === programId);
  return winner === undefined ? '' : collaboratorText(circumstances, winner.collaboratorId);
}

function sum(context: Context, candidate: WeighedCandidate): string {
  return steps(context, candidate).join('. ');
}

function steps({ explanation, circumstances }: Context, candidate: WeighedCandidate): string[] {
  const program = versionOf(circumstances, candidate);
  if (program === undefined) throw new Error(`The version of program ${candidate.programId} is missing.`);
  const rivals = explanation.candidates.filter(isWeighed).filter(({ programId }) => programId === program.programId);
  return arithmetic(explanation, program, candidate, rivals);
}

function weighedOf(candidate: ExplainedCandidate): WeighedCandidate {
  if (!isWeighed(candidate))
    throw new Error(`Collaborator ${candidate.collaboratorId} has the outcome ${candidate.outcome} but no weight.`);
  return candidate;
}

/**
 * Returns whether a candidate has a weight above 0. The decision writes all calculated amounts together with the
 * weight.
 */
function isWeighed(candidate: ExplainedCandidate): candidate is WeighedCandidate {
  return candidate.weight !== undefined && candidate.weight > 0;
}

function touchesText({ explanation, circumstances }: Context, { firstAt, lastAt, score }: ExplainedCandidate): string {
  if (firstAt === undefined || lastAt === undefined) return '';
  const { kind, transaction } = explanation;
  if (circumstances.isImagined) {
    return kind === 'renewal' ? '' : `${touchesBefore(transaction.occurredAt, firstAt, lastAt)}${points(score)}.`;
  }
  const [first, last] = [time(firstAt), time(lastAt)];
  // A renewal pays the earners of its sale, regardless of their touches.
  if (kind === 'renewal') return `Credited on ${first}.`;
  return `Touches ${first === last ? `on ${first}` : `from ${first} to ${last}`}${points(score)}.`;
}

/** Returns the time from the touches to the sale as text, in whole days, because an example's touches have no dates. */
function touchesBefore(soldAt: Instant, firstAt: Instant, lastAt: Instant): string {
  const [first, last] = [firstAt, lastAt].map((at) => Math.round((soldAt - at) / MICROSECONDS_PER_DAY)) as [
    number,
    number,
  ];
  if (first !== last) return `Touches from ${count(first, 'day')} to ${count(last, 'day')} before`;
  return first === 0 ? 'Touches right before' : `Touches ${count(first, 'day')} before`;
}

function points(score: number | undefined): string {
  return score === undefined ? '' : `, score ${score}`;
}

function correctionText({ currency }: Explanation, { at, correctionId, total }: ExplainedCorrection): string {
  return `Corrected on ${time(at)} (correction “${correctionId}”): total ${money(total, currency)} from then on.`;
}

function refundText({ explanation, circumstances }: Context, refund: ExplainedRefund): string {
  const { kind, currency, transaction } = explanation;
  const total = circumstances.corrections.at(-1)?.total ?? transaction.total;
  const at = time(refund.at);
  const name = refund.refundId === undefined ? '' : ` (refund “${refund.refundId}”)`;
  const undone = refund.reversedAt === undefined ? '' : ` This refund was reversed on ${time(refund.reversedAt)}.`;
  if (kind === 'lead') return `Reversed on ${at}${name}.${undone}`;
  const amount = `${money(refund.amount, currency)} of ${money(total, currency)}`;
  return `${REFUNDED[refund.kind]} on ${at}${name}: ${amount}.${undone}`;
}

const REFUNDED: Readonly<Record<RefundKind, string>> = {
  full: 'Refunded',
  amount: 'Partly refunded',
  items: 'Items refunded',
};

function conversionText(context: Context, conversion: ExplainedConversion): string {
  const { circumstances } = context;
  const { id, collaboratorId, awarded, currency } = conversion;
  return (
    `Conversion ${id} of ${collaboratorText(circumstances, collaboratorId)}${programSuffix(circumstances, conversion)}` +
    `${manualCreditText(conversion)}: ${explainArithmetic(context, conversion)}${money(awarded, currency)} awarded, ${currentWorth(conversion)}.`
  );
}

/** Returns the current status as text, with the amount if it differs from the award and is still owed. */
function currentWorth({ awarded, amount, currency, status, reason, review }: ExplainedConversion): string {
  if (status === 'rejected') return `rejected because “${reason}”: nothing is owed`;
  const stands = review === 'held' ? 'held for review' : status;
  return amount === awarded ? stands : `worth ${money(amount, currency)} now, ${stands}`;
}

function manualCreditText({ type, author, awardedAt, note }: ExplainedConversion): string {
  if (type !== 'manual') return '';
  return `, credited manually (${author}) on ${time(awardedAt)}${note === undefined ? '' : `, “${note}”`}`;
}

/** Returns the calculation of a manual credit, without a split, or an empty text if the caller gave the amount. */
function explainArithmetic({ explanation, circumstances }: Context, { explained }: ExplainedConversion): string {
  return explained === undefined ? '' : `${stepsAlone({ explanation, circumstances }, explained).join('. ')}. `;
}

function stepsAlone({ explanation, circumstances }: Context, explained: ExplainedCandidate): string[] {
  const alone = { ...explanation, candidates: [explained] };
  return steps({ explanation: alone, circumstances }, weighedOf(explained));
}

function namesOf(
  circumstances: Circumstances,
  of: Versioned & { readonly collaboratorId: CollaboratorId },
): Pick<ExplainedWords, 'collaboratorName' | 'programName'> {
  const collaboratorName = circumstances.collaborators.get(of.collaboratorId);
  const programName = versionOf(circumstances, of)?.name;
  return {
    ...(collaboratorName === undefined ? {} : { collaboratorName }),
    ...(programName === undefined ? {} : { programName }),
  };
}

type Versioned = { readonly programId?: ProgramId; readonly programVersion?: number };

/** Returns the program's name and version as a suffix, or an empty text for an example, which has only one program. */
function programSuffix(circumstances: Circumstances, of: Versioned): string {
  if (circumstances.isImagined) return '';
  const program = versionOf(circumstances, of);
  return program === undefined ? '' : ` in ${programText(program)}`;
}

function versionOf({ programs }: Circumstances, of: Versioned): ProgramVersion | undefined {
  return programs.find(({ programId, version }) => programId === of.programId && version === of.programVersion);
}

function programText({ name, programId, version }: ProgramVersion): string {
  return `“${name}” (program ${programId}, version ${version})`;
}

function collaboratorText({ collaborators, isImagined }: Circumstances, id: CollaboratorId): string {
  const name = collaborators.get(id);
  if (isImagined && name !== undefined) return name;
  return name === undefined ? `Collaborator ${id}` : `${name} (collaborator ${id})`;
}

function notListed(omitted: number, noun: string): string[] {
  if (omitted === 0) return [];
  return [`${omitted} more ${omitted === 1 ? `${noun} is` : `${noun}s are`} not listed.`];
}

function money(amount: Minor, currency: string): string {
  return `${formatMajor(amount)} ${currency}`;
}

/** Returns the time in UTC, to the second. */
function time(instant: Instant): string {
  return `${formatInstant(instant).slice(0, 19).replace('T', ' ')} UTC`;
}
