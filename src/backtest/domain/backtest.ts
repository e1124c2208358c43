import type { CollaboratorId, TransactionId } from '#core/ids.ts';
import { type Minor, splitByLargestRemainder } from '#core/money.ts';
import type { Line, LineType } from '#programs/domain/line.ts';
import { countedBy } from '#programs/domain/reward.ts';
import type { ProgramTerms } from '#programs/domain/program.ts';

/**
 * Commissions in one currency, after refunds, corrections and rejections: in the books (`recorded`), and with the terms
 * of a draft (`drafted`).
 */
export type Compared = { readonly currency: string; readonly recorded: Minor; readonly drafted: Minor };

/** The revenue is the total of the transactions, after corrections and less refunds. */
export type ComparedTotal = Compared & {
  readonly revenue: Minor;
  /** The commissions in millionths of the revenue, rounded down. Null without revenue. */
  readonly recordedPpm: number | null;
  readonly draftedPpm: number | null;
  /** The numbers of collaborators who would earn more, and less. */
  readonly gaining: number;
  readonly losing: number;
  /** The number of transactions with earners on both sides that are not the same collaborators. */
  readonly changingHands: number;
};

export type ComparedPartner = Compared & { readonly collaboratorId: CollaboratorId; readonly name: string };
/** A calendar month in the organization's time zone, such as 2026-03. */
export type ComparedMonth = Compared & { readonly month: string; readonly revenue: Minor };
/** The lines of transactions with one name and type. Name and type are null for all lines that are not listed. */
export type ComparedLine = Compared & { readonly name: string | null; readonly type: LineType | null };

/** A transaction with the names under which it was reported. */
type OfTransaction = {
  readonly transactionId: TransactionId;
  readonly source: string;
  readonly externalId: string;
};

/** A transaction with earners in the books and in the draft that are not the same collaborators. */
export type ChangedHands = Compared &
  OfTransaction & {
    readonly recordedEarners: readonly CollaboratorId[];
    readonly draftedEarners: readonly CollaboratorId[];
  };

/** A transaction with a large difference, and the explanations of both decisions. */
export type ComparedSale = Compared &
  OfTransaction & {
    readonly recordedText: string;
    readonly draftedText: string;
    /** The collaborators who are named in the texts. */
    readonly namedIds: readonly CollaboratorId[];
  };

/** The result of one draft. All amounts are per currency. */
export type DraftResult = {
  readonly name: string;
  readonly totals: readonly ComparedTotal[];
  /** The collaborators with the largest differences, up to MAX_PARTNERS for each currency. */
  readonly partners: readonly ComparedPartner[];
  readonly months: readonly ComparedMonth[];
  /** The lines with the largest commissions, up to MAX_LINES for each currency. */
  readonly lines: readonly ComparedLine[];
  /** The transactions that change hands with the largest differences, up to MAX_HANDS for each currency. */
  readonly hands: readonly ChangedHands[];
  /**
   * The transactions with the largest differences, up to MAX_DIFFERING for each currency and MAX_EXPLAINED in total.
   */
  readonly differing: readonly ComparedSale[];
};

export const MAX_PARTNERS = 1_000;
export const MAX_LINES = 1_000;
export const MAX_HANDS = 100;
export const MAX_DIFFERING = 20;
/** The maximum number of transactions with large differences that are explained, in all currencies together. */
export const MAX_EXPLAINED = 100;
/** The maximum length of an explanation. A longer one is cut. */
export const MAX_TEXT_LENGTH = 4_000;

/** Returns commissions in millionths of the revenue, rounded down, or null without revenue. */
export function costPpm(cost: Minor, revenue: Minor): number | null {
  return revenue <= 0n ? null : Number((cost * 1_000_000n) / revenue);
}

/** The commission of a collaborator in a program for one transaction. */
export type LineShare = {
  readonly amount: Minor;
  /** Whether the reward is per piece. */
  readonly byQuantity: boolean;
  readonly rules: Pick<ProgramTerms, 'countedLines' | 'lineFilter'>;
};

/**
 * Splits a commission among the lines that the program counts, in proportion to their amounts, or to their pieces if
 * the reward is per piece. A discount gets no part, because it reduces the parts of all lines equally. The parts add up
 * to the commission. Returns undefined if no counted line is above zero, as for a lead.
 */
export function splitAmongLines(lines: readonly Line[], { amount, byQuantity, rules }: LineShare): Minor[] | undefined {
  const isCounted = countedBy(rules.countedLines, rules.lineFilter);
  const weights = lines.map((line) => {
    if (line.type === 'discount' || line.total <= 0n || !isCounted(line)) return 0n;
    return byQuantity ? BigInt(line.quantity) : line.total;
  });
  if (weights.every((weight) => weight === 0n)) return undefined;
  return splitByLargestRemainder(amount, weights);
}
