import type { CollaboratorId, ObligationId, PayoutId } from './ids.ts';
import { MAX_MINOR, type Minor } from './money.ts';
import { mayBePaid, type PayoutStatus, type ReviewState } from './payout.ts';

export const FULFILLMENT_STATUSES = ['pending', 'processing', 'complete', 'failed'] as const;
/**
 * Why a collaborator gets nothing from a run: what is owed adds up to 0 or less, to less than the run's minimum, or would
 * bring the run above the largest amount that there is.
 */
export const CARRIED_FORWARD_REASONS = ['nothing-owed', 'below-minimum', 'over-limit'] as const;

export type FulfillmentStatus = (typeof FULFILLMENT_STATUSES)[number];
export type CarriedForwardReason = (typeof CARRIED_FORWARD_REASONS)[number];

/** What a run may take: what is alike of what one collaborator is owed in one currency, added up by the database. */
export type PendingObligations = {
  readonly obligationIds: readonly ObligationId[];
  readonly collaboratorId: CollaboratorId;
  readonly currency: string;
  /** Of all of them, which may be beyond what one amount can be; below zero for claw-backs, which are apart. */
  readonly amount: bigint;
  /** What was sold is going back: the sale is not complete, or a refund of it is not worked in yet. */
  readonly goesBack: boolean;
};

export type PlannedPayout = {
  readonly collaboratorId: CollaboratorId;
  /** Above zero. */
  readonly amount: Minor;
  readonly obligationIds: readonly ObligationId[];
};

/** What stays pending for a later run; 0 or less where nothing is owed. */
export type CarriedForward = {
  readonly collaboratorId: CollaboratorId;
  readonly amount: Minor;
  readonly reason: CarriedForwardReason;
};

/** What a run in one currency would take; without a payout there is no run. */
export type PlannedRun = {
  readonly currency: string;
  readonly amount: Minor;
  readonly payouts: readonly PlannedPayout[];
  readonly carriedForward: readonly CarriedForward[];
};

/**
 * One run for each currency, in their alphabetical order: what is owed to one collaborator becomes one payout, in full or
 * not at all. Left out beforehand is what was sold and is going back. Claw-backs always count.
 */
export function planRuns(owed: readonly PendingObligations[], minimum: Minor | null): PlannedRun[] {
  const payable = owed.filter(isPayable);
  const currencies = [...Map.groupBy(payable, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1));
  return currencies.map(([currency, inCurrency]) => planRun(currency, inCurrency, minimum));
}

function isPayable({ amount, goesBack }: PendingObligations): boolean {
  return amount < 0n || !goesBack;
}

/** The lowest id is looked at first. */
function planRun(currency: string, owed: readonly PendingObligations[], minimum: Minor | null): PlannedRun {
  const payouts: PlannedPayout[] = [];
  const carriedForward: CarriedForward[] = [];
  let total = 0n;
  const collaborators = [...Map.groupBy(owed, ({ collaboratorId }) => collaboratorId)].sort(([a], [b]) => a - b);
  for (const [collaboratorId, theirs] of collaborators) {
    const amount = theirs.reduce((sum, each) => sum + each.amount, 0n) as Minor;
    const reason = reasonToWait(amount, total, minimum);
    if (reason !== null) carriedForward.push({ collaboratorId, amount, reason });
    else {
      payouts.push({ collaboratorId, amount, obligationIds: idsOf(theirs) });
      total += amount;
    }
  }
  return { currency, amount: total as Minor, payouts, carriedForward };
}

/** The lowest first. */
function idsOf(owed: readonly PendingObligations[]): ObligationId[] {
  return owed.flatMap(({ obligationIds }) => obligationIds).sort((a, b) => a - b);
}

function reasonToWait(amount: Minor, total: bigint, minimum: Minor | null): CarriedForwardReason | null {
  if (amount <= 0n) return 'nothing-owed';
  if (minimum !== null && amount < minimum) return 'below-minimum';
  return total + amount > MAX_MINOR ? 'over-limit' : null;
}

/** What a call does to a run: it changes, it was so already, or the state graph forbids it. */
export type RunMove = 'changed' | 'unchanged' | 'forbidden';

/** `pending → processing`. */
export function processRun(status: FulfillmentStatus): RunMove {
  if (status === 'processing') return 'unchanged';
  return status === 'pending' ? 'changed' : 'forbidden';
}

/** A payout of a run, as far as completing or failing it goes by it. */
export type RunPayout = {
  readonly payoutId: PayoutId;
  readonly status: PayoutStatus;
  readonly review: ReviewState;
  /** A refund of what it pays was reported and is not worked in yet. */
  readonly refundWaits: boolean;
};

export type Completion =
  /** The payouts that are paid by it; the run is complete once none is left unpaid. */
  | { readonly kind: 'changed'; readonly status: 'processing' | 'complete'; readonly paid: readonly PayoutId[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'forbidden' };

/** `processing → complete`: pays all that is not under review; what is keeps the run processing. */
export function completeRun(status: FulfillmentStatus, payouts: readonly RunPayout[]): Completion {
  if (status === 'complete') return { kind: 'unchanged' };
  if (status !== 'processing') return { kind: 'forbidden' };
  const unpaid = payouts.filter((payout) => payout.status === 'unpaid');
  const paid = unpaid.filter(mayBePaid).map(({ payoutId }) => payoutId);
  if (paid.length < unpaid.length) {
    return paid.length === 0 ? { kind: 'unchanged' } : { kind: 'changed', status: 'processing', paid };
  }
  return { kind: 'changed', status: 'complete', paid };
}

/** `pending`, `processing → failed`, as long as none of its payouts is paid. */
export function failRun(status: FulfillmentStatus, payouts: readonly Pick<RunPayout, 'status'>[]): RunMove | 'paid' {
  if (status === 'failed') return 'unchanged';
  if (status === 'complete') return 'forbidden';
  return payouts.some((payout) => payout.status === 'paid') ? 'paid' : 'changed';
}
