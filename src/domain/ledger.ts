import { hash } from 'node:crypto';
import type { CollaboratorId, LedgerEntryId, ObligationId, OrganizationId, PayoutId } from './ids.ts';
import { formatMicroseconds, type Instant } from './instant.ts';
import type { Minor } from './money.ts';

/** Where money of a collaborator stands. `expense` is the merchant's side, so that every entry balances. */
export const LEDGER_ACCOUNTS = ['expense', 'draft', 'pending', 'in-payout', 'paid'] as const;
export const LEDGER_KINDS = [
  'award',
  'approve',
  'reject',
  'reduce',
  'fulfil',
  'release',
  'pay',
  'unpay',
  'claw-back',
] as const;

export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Moves `amount` (above 0) from `debit`, which has so much less for the collaborator, to `credit`. */
export type LedgerEntry = {
  readonly id: LedgerEntryId;
  readonly kind: LedgerKind;
  readonly collaboratorId: CollaboratorId;
  readonly currency: string;
  readonly amount: Minor;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly obligationId: ObligationId | null;
  readonly payoutId: PayoutId | null;
  readonly occurredAt: Instant;
};

/** The hash (hexadecimal) from which the chain of an organization starts. */
export function genesis(organizationId: OrganizationId): string {
  return hash('sha256', `whence ledger of organization ${organizationId}\n`);
}

/**
 * The hash after an entry: SHA-256 of the hash before it, in hexadecimal, and the entry's text, each ended by a line
 * feed. So one line of shell recomputes it, and no entry can be changed, left out or put in without changing all that
 * follow.
 */
export function linked(before: string, entry: LedgerEntry): string {
  return hash('sha256', `${before}\n${canonicalText(entry)}\n`);
}

/**
 * An entry as it is hashed: its fields, parted by single blanks, `-` for one that it has not. The time is UTC to the
 * microsecond, as the database keeps it. None of the fields can hold a blank.
 */
export function canonicalText(entry: LedgerEntry): string {
  const { id, kind, collaboratorId, currency, amount, debit, credit, obligationId, payoutId, occurredAt } = entry;
  const time = formatMicroseconds(occurredAt);
  return `${id} ${kind} ${collaboratorId} ${currency} ${amount} ${debit} ${credit} ${obligationId ?? '-'} ${payoutId ?? '-'} ${time}`;
}

/** What is owed and payable: what waits for a run, and what is in one that is not paid. */
const OWED: ReadonlySet<LedgerAccount> = new Set(['pending', 'in-payout']);

/** What an entry adds to the balance of its collaborator; 0 for one that moves nothing into it or out of it. */
export function effectOnBalance({ amount, debit, credit }: Pick<LedgerEntry, 'amount' | 'debit' | 'credit'>): Minor {
  const added = OWED.has(credit) ? amount : 0n;
  const taken = OWED.has(debit) ? amount : 0n;
  return (added - taken) as Minor;
}

/** So much of a currency was moved from `debit` to `credit`, in one entry or in many. */
export type Moved = Pick<LedgerEntry, 'currency' | 'amount' | 'debit' | 'credit'>;

/** What a collaborator has in one currency, by where it stands; claw-backs count negative. */
export type Balance = {
  readonly currency: string;
  /** What is payable and not paid: pending and in payouts. */
  readonly balance: Minor;
  readonly draft: Minor;
  readonly pending: Minor;
  readonly inPayout: Minor;
  readonly paid: Minor;
};

/** The balances that entries make, by currency. */
export function balancesOf(moved: readonly Moved[]): Balance[] {
  const byCurrency = [...Map.groupBy(moved, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byCurrency.map(([currency, entries]) => ({
    currency,
    balance: effectOf(entries),
    draft: standing('draft', entries),
    pending: standing('pending', entries),
    inPayout: standing('in-payout', entries),
    paid: standing('paid', entries),
  }));
}

function standing(account: LedgerAccount, entries: readonly Moved[]): Minor {
  const moves = entries.map(({ amount, debit, credit }) =>
    credit === account ? amount : debit === account ? -amount : 0n,
  );
  return moves.reduce<bigint>((sum, each) => sum + each, 0n) as Minor;
}

/** What entries of one currency add to the balance in all. */
export function effectOf(entries: readonly Moved[]): Minor {
  return entries.reduce((sum, entry) => sum + effectOnBalance(entry), 0n) as Minor;
}

export type StatementLine<Entry> = Entry & {
  /** What it adds to the balance. */
  readonly effect: Minor;
  /** The balance after it. */
  readonly balance: Minor;
};

/** What became of a balance in a span of time: opening + the effects of all lines = closing. */
export type Statement<Entry> = {
  readonly currency: string;
  readonly opening: Minor;
  readonly closing: Minor;
  readonly lines: readonly StatementLine<Entry>[];
  /** By kind, of those that occur: how many entries, what they moved, and what they did to the balance. */
  readonly totals: readonly KindTotal[];
};

export type KindTotal = {
  readonly kind: LedgerKind;
  readonly entries: number;
  readonly amount: Minor;
  readonly effect: Minor;
};

/**
 * The statement of one currency: `entries` of the span in their order, after a balance of `opening`. Entries that leave
 * the balance alone (an award that waits for approval, a move from pending into a payout) are lines with an effect of 0.
 */
export function statementOf<Entry extends LedgerEntry>(
  currency: string,
  opening: Minor,
  entries: readonly Entry[],
): Statement<Entry> {
  let balance = opening;
  const lines = entries.map((entry) => {
    const effect = effectOnBalance(entry);
    balance = (balance + effect) as Minor;
    return { ...entry, effect, balance };
  });
  return { currency, opening, closing: balance, lines, totals: totalsOf(lines) };
}

function totalsOf(lines: readonly StatementLine<LedgerEntry>[]): KindTotal[] {
  const totals = new Map<LedgerKind, KindTotal>();
  for (const { kind, amount, effect } of lines) {
    const total = totals.get(kind) ?? { kind, entries: 0, amount: 0n as Minor, effect: 0n as Minor };
    totals.set(kind, {
      kind,
      entries: total.entries + 1,
      amount: (total.amount + amount) as Minor,
      effect: (total.effect + effect) as Minor,
    });
  }
  return LEDGER_KINDS.flatMap((kind) => totals.get(kind) ?? []);
}
