import { hash } from 'node:crypto';
import type { CollaboratorId, LedgerEntryId, ObligationId, OrganizationId, PayoutId } from '#core/ids.ts';
import { formatMicroseconds, type Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';

/** The accounts of a collaborator's money. `expense` is the merchant's account, so that every ledger entry balances. */
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

/** A ledger entry. It moves `amount` (above 0) from the account `debit` to the account `credit`. */
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

/** Returns the first hash of an organization's ledger chain, in hexadecimal. */
export function genesisHash(organizationId: OrganizationId): string {
  return hash('sha256', `whence ledger of organization ${organizationId}\n`);
}

/**
 * Returns the hash after a ledger entry: SHA-256 of the previous hash, in hexadecimal, and the entry's text, each
 * followed by a line feed. A one-line shell command can recompute it. Changing, removing or inserting a ledger entry
 * changes all following hashes.
 */
export function chainHash(before: string, entry: LedgerEntry): string {
  return hash('sha256', `${before}\n${canonicalText(entry)}\n`);
}

/**
 * Returns the hashed text of a ledger entry: its fields separated by single spaces, with `-` for a missing field. The
 * time is UTC to the microsecond, as the database stores it. No field can contain a space.
 */
export function canonicalText(entry: LedgerEntry): string {
  const { id, kind, collaboratorId, currency, amount, debit, credit, obligationId, payoutId, occurredAt } = entry;
  const time = formatMicroseconds(occurredAt);
  return `${id} ${kind} ${collaboratorId} ${currency} ${amount} ${debit} ${credit} ${obligationId ?? '-'} ${payoutId ?? '-'} ${time}`;
}

/** The accounts of owed and payable money: pending money, and money in unpaid payouts. */
const OWED: ReadonlySet<LedgerAccount> = new Set(['pending', 'in-payout']);

/**
 * Returns the amount that a ledger entry adds to the balance of its collaborator. It is negative if the entry reduces
 * the balance, and 0 if the entry doesn't change the balance.
 */
export function effectOnBalance({ amount, debit, credit }: Pick<LedgerEntry, 'amount' | 'debit' | 'credit'>): Minor {
  const added = OWED.has(credit) ? amount : 0n;
  const taken = OWED.has(debit) ? amount : 0n;
  return (added - taken) as Minor;
}

/** The amount of a currency that one or more ledger entries moved from `debit` to `credit`. */
export type Moved = Pick<LedgerEntry, 'currency' | 'amount' | 'debit' | 'credit'>;

/** The money of a collaborator in one currency, by account. Clawbacks are negative. */
export type Balance = {
  readonly currency: string;
  /** The payable, unpaid money: pending or in payouts. */
  readonly balance: Minor;
  readonly draft: Minor;
  readonly pending: Minor;
  readonly inPayout: Minor;
  readonly paid: Minor;
};

/** Returns the balances that result from ledger entries, sorted by currency. */
export function balancesOf(moved: readonly Moved[]): Balance[] {
  const byCurrency = [...Map.groupBy(moved, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byCurrency.map(([currency, entries]) => ({
    currency,
    balance: effectOf(entries),
    draft: sumOfAccount('draft', entries),
    pending: sumOfAccount('pending', entries),
    inPayout: sumOfAccount('in-payout', entries),
    paid: sumOfAccount('paid', entries),
  }));
}

function sumOfAccount(account: LedgerAccount, entries: readonly Moved[]): Minor {
  const moves = entries.map(({ amount, debit, credit }) =>
    credit === account ? amount : debit === account ? -amount : 0n,
  );
  return moves.reduce<bigint>((sum, each) => sum + each, 0n) as Minor;
}

export function effectOf(entries: readonly Moved[]): Minor {
  return entries.reduce((sum, entry) => sum + effectOnBalance(entry), 0n) as Minor;
}

export type StatementLine<Entry> = Entry & {
  /** The amount that the ledger entry adds to the balance. */
  readonly effect: Minor;
  /** The balance after the ledger entry. */
  readonly balance: Minor;
};

/** A balance in one currency over a period. `opening` plus the effects of all its ledger entries equals `closing`. */
export type Statement = {
  readonly currency: string;
  readonly opening: Minor;
  readonly closing: Minor;
  /** For each kind that occurs: the number of ledger entries, the moved amount, and the effect on the balance. */
  readonly totals: readonly KindTotal[];
};

export type KindTotal = {
  readonly kind: LedgerKind;
  readonly entries: number;
  readonly amount: Minor;
  readonly effect: Minor;
};

/** The number and sum of the ledger entries of one kind from `debit` to `credit` in one currency. */
export type KindMoved = Moved & { readonly kind: LedgerKind; readonly entries: number };

/** Returns the statement of one currency, given the opening balance and the summed ledger entries of the period. */
export function statementOf(currency: string, opening: Minor, moved: readonly KindMoved[]): Statement {
  return { currency, opening, closing: (opening + effectOf(moved)) as Minor, totals: totalsOf(moved) };
}

/**
 * Returns the lines of a statement that starts with the balance `before`, one for each ledger entry in order. Ledger
 * entries that don't change the balance have an effect of 0. Examples are an award that waits for approval, and a move
 * from pending into a payout.
 */
export function statementLines<Entry extends Moved>(before: Minor, entries: readonly Entry[]): StatementLine<Entry>[] {
  let balance = before;
  return entries.map((entry) => {
    const effect = effectOnBalance(entry);
    balance = (balance + effect) as Minor;
    return { ...entry, effect, balance };
  });
}

function totalsOf(moved: readonly KindMoved[]): KindTotal[] {
  const byKind = Map.groupBy(moved, ({ kind }) => kind);
  return LEDGER_KINDS.flatMap((kind) => {
    const those = byKind.get(kind);
    if (those === undefined) return [];
    const entries = those.reduce((sum, each) => sum + each.entries, 0);
    const amount = those.reduce<bigint>((sum, each) => sum + each.amount, 0n) as Minor;
    return [{ kind, entries, amount, effect: effectOf(those) }];
  });
}
