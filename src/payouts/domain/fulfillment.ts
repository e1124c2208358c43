import type { CollaboratorId, ObligationId, PayoutId } from '#core/ids.ts';
import { MAX_MINOR, type Minor } from '#core/money.ts';
import { canBePaid, type PayoutStatus, type ReviewState } from './payout.ts';
import type { FulfillmentStatus } from './run-status.ts';
/**
 * The reasons why a run doesn't pay a collaborator:
 * - `nothing-owed`: the owed sum is 0 or less.
 * - `below-minimum`: the owed sum is below the run's minimum.
 * - `no-tax-details`: tax details are required, and the collaborator has none.
 * - `over-limit`: the payout would raise the sum of the run above MAX_MINOR.
 */
export const CARRIED_FORWARD_REASONS = ['nothing-owed', 'below-minimum', 'no-tax-details', 'over-limit'] as const;
export type CarriedForwardReason = (typeof CARRIED_FORWARD_REASONS)[number];

/** Pending obligations of one collaborator in one currency, grouped and summed by the database. */
export type PendingObligations = {
  readonly obligationIds: readonly ObligationId[];
  readonly collaboratorId: CollaboratorId;
  readonly currency: string;
  /**
   * The sum of all obligations of the group, which can exceed MAX_MINOR. Clawbacks form a separate group with a
   * negative sum.
   */
  readonly amount: bigint;
  /**
   * Whether the obligations belong to sales that are not complete, or that have a refund or correction that is still
   * being processed.
   */
  readonly goesBack: boolean;
};

export type PlannedPayout = {
  readonly collaboratorId: CollaboratorId;
  /** The amount of the payout, above zero. */
  readonly amount: Minor;
  readonly obligationIds: readonly ObligationId[];
};

/** An amount that stays pending for a later run. It is 0 or less if nothing is owed. */
export type CarriedForward = {
  readonly collaboratorId: CollaboratorId;
  readonly amount: Minor;
  readonly reason: CarriedForwardReason;
};

/** A planned run in one currency. If it has no payouts, it isn't created. */
export type PlannedRun = {
  readonly currency: string;
  readonly amount: Minor;
  readonly payouts: readonly PlannedPayout[];
  readonly carriedForward: readonly CarriedForward[];
};

/** The rules of a run: the minimum amount of a payout, and the collaborators who lack required tax details. */
export type RunRules = {
  readonly minimum: Minor | null;
  readonly withoutTaxDetails: ReadonlySet<CollaboratorId>;
};

/**
 * Plans one run for each currency, in alphabetical order. The amount owed to a collaborator becomes one payout, in full
 * or not at all. Obligations are skipped while their sale is not complete or is being refunded or corrected, but
 * clawbacks always count.
 */
export function planRuns(owed: readonly PendingObligations[], rules: RunRules): PlannedRun[] {
  const payable = owed.filter(isPayable);
  const currencies = [...Map.groupBy(payable, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1));
  return currencies.map(([currency, inCurrency]) => planRun(currency, inCurrency, rules));
}

function isPayable({ amount, goesBack }: PendingObligations): boolean {
  return amount < 0n || !goesBack;
}

/** Plans the run of one currency, in the order of the collaborators' ids. */
function planRun(currency: string, owed: readonly PendingObligations[], rules: RunRules): PlannedRun {
  const payouts: PlannedPayout[] = [];
  const carriedForward: CarriedForward[] = [];
  let total = 0n;
  const collaborators = [...Map.groupBy(owed, ({ collaboratorId }) => collaboratorId)].sort(([a], [b]) => a - b);
  for (const [collaboratorId, theirs] of collaborators) {
    const amount = theirs.reduce((sum, each) => sum + each.amount, 0n) as Minor;
    const lacksTaxDetails = rules.withoutTaxDetails.has(collaboratorId);
    const reason = reasonToWait({ amount, lacksTaxDetails }, total, rules.minimum);
    if (reason !== null) carriedForward.push({ collaboratorId, amount, reason });
    else {
      payouts.push({ collaboratorId, amount, obligationIds: idsOf(theirs) });
      total += amount;
    }
  }
  return { currency, amount: total as Minor, payouts, carriedForward };
}

function idsOf(owed: readonly PendingObligations[]): ObligationId[] {
  return owed.flatMap(({ obligationIds }) => obligationIds).sort((a, b) => a - b);
}

function reasonToWait(
  { amount, lacksTaxDetails }: { readonly amount: Minor; readonly lacksTaxDetails: boolean },
  total: bigint,
  minimum: Minor | null,
): CarriedForwardReason | null {
  if (amount <= 0n) return 'nothing-owed';
  if (minimum !== null && amount < minimum) return 'below-minimum';
  if (lacksTaxDetails) return 'no-tax-details';
  return total + amount > MAX_MINOR ? 'over-limit' : null;
}

/** The effect of a call on a run: the run changes, already has the requested state, or can't change to it. */
export type RunMove = 'changed' | 'unchanged' | 'forbidden';

/** Decides whether a run can be processed: `pending → processing`. */
export function processRun(status: FulfillmentStatus): RunMove {
  if (status === 'processing') return 'unchanged';
  return status === 'pending' ? 'changed' : 'forbidden';
}

/** The facts about a payout that decide whether its run can be completed or failed. */
export type RunPayout = {
  readonly payoutId: PayoutId;
  readonly status: PayoutStatus;
  readonly review: ReviewState;
  /** Whether a refund or correction of one of the payout's sales was reported but is still being processed. */
  readonly refundWaits: boolean;
  /** Whether tax details are required and missing. */
  readonly lacksTaxDetails: boolean;
};

export type Completion =
  /** `paid` contains the payouts that become paid. The run is complete once none of its payouts is unpaid. */
  | { readonly kind: 'changed'; readonly status: 'processing' | 'complete'; readonly paid: readonly PayoutId[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'forbidden' };

/**
 * Decides the completion of a run: `processing → complete`. Returns the payouts to mark as paid, which are all payouts
 * that can be paid. If other payouts stay unpaid, the run stays `processing`.
 */
export function completeRun(status: FulfillmentStatus, payouts: readonly RunPayout[]): Completion {
  if (status === 'complete') return { kind: 'unchanged' };
  if (status !== 'processing') return { kind: 'forbidden' };
  const unpaid = payouts.filter((payout) => payout.status === 'unpaid');
  const paid = unpaid.filter(canBePaid).map(({ payoutId }) => payoutId);
  if (paid.length < unpaid.length) {
    return paid.length === 0 ? { kind: 'unchanged' } : { kind: 'changed', status: 'processing', paid };
  }
  return { kind: 'changed', status: 'complete', paid };
}

/** Decides whether a run can fail: `pending`, `processing → failed`, if none of its payouts is paid. */
export function failRun(status: FulfillmentStatus, payouts: readonly Pick<RunPayout, 'status'>[]): RunMove | 'paid' {
  if (status === 'failed') return 'unchanged';
  if (status === 'complete') return 'forbidden';
  return payouts.some((payout) => payout.status === 'paid') ? 'paid' : 'changed';
}
