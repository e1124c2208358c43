import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  balancesOf,
  canonicalText,
  effectOnBalance,
  genesisHash,
  LEDGER_ACCOUNTS,
  LEDGER_KINDS,
  type KindMoved,
  type LedgerEntry,
  chainHash,
  statementLines,
  statementOf,
} from '#ledger/domain/ledger.ts';
import type { CollaboratorId, LedgerEntryId, ObligationId, OrganizationId, PayoutId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';

const ENTRY: LedgerEntry = {
  id: 101 as LedgerEntryId,
  kind: 'fulfil',
  collaboratorId: 7 as CollaboratorId,
  currency: 'USD',
  amount: 1050n as Minor,
  debit: 'pending',
  credit: 'in-payout',
  obligationId: 51 as ObligationId,
  payoutId: 61 as PayoutId,
  occurredAt: 1_795_339_800_123_456 as Instant,
};

const entries = fc
  .tuple(
    fc.constantFrom(...LEDGER_KINDS),
    fc.bigInt(1n, 2n ** 40n),
    fc.uniqueArray(fc.constantFrom(...LEDGER_ACCOUNTS), { minLength: 2, maxLength: 2 }),
    fc.constantFrom('USD', 'EUR'),
  )
  .map(
    ([kind, amount, [debit, credit], currency]) => ({ ...ENTRY, kind, amount, debit, credit, currency }) as LedgerEntry,
  );

describe('the canonical text of a ledger entry', () => {
  it('lists fields in order, with UTC microseconds and a dash for missing values', () => {
    assert.equal(canonicalText(ENTRY), '101 fulfil 7 USD 1050 pending in-payout 51 61 2026-11-22T09:30:00.123456Z');
    assert.equal(
      canonicalText({ ...ENTRY, kind: 'pay', obligationId: null, occurredAt: 1_795_339_800_000_007 as Instant }),
      '101 pay 7 USD 1050 pending in-payout - 61 2026-11-22T09:30:00.000007Z',
    );
  });
});

describe('the ledger chain', () => {
  it('has the hashes that `printf | sha256sum` computes', () => {
    // The expected hash is the output of: printf 'whence ledger of organization 1\n' | sha256sum
    const start = genesisHash(1 as OrganizationId);
    assert.equal(start, 'a74b5847e7e25b24159ef30b67b59686d5bff3cf18d6f25fc55a1efbe8e5d513');
    // The expected hash is the output of: printf '%s\n%s\n' "$start" "$entry" | sha256sum
    assert.equal(chainHash(start, ENTRY), '4392d0b614ef45de6160467bbabfcb4296dbe3a69e2bc82023d2f07054861f61');
  });

  it('has a different hash if any field of a ledger entry differs', () => {
    const start = genesisHash(1 as OrganizationId);
    const changes: Partial<LedgerEntry>[] = [
      { id: 102 as LedgerEntryId },
      { kind: 'release' },
      { collaboratorId: 8 as CollaboratorId },
      { currency: 'EUR' },
      { amount: 1051n as Minor },
      { debit: 'paid' },
      { credit: 'paid' },
      { obligationId: null },
      { payoutId: null },
      { occurredAt: (ENTRY.occurredAt + 1) as Instant },
    ];
    const hashes = [{}, ...changes].map((change) => chainHash(start, { ...ENTRY, ...change }));
    assert.equal(new Set(hashes).size, changes.length + 1);
    assert.notEqual(genesisHash(2 as OrganizationId), start);
  });
});

describe('the effect of a ledger entry on the balance', () => {
  for (const [debit, credit, effect] of [
    ['expense', 'draft', 0n],
    ['expense', 'pending', 1050n],
    ['draft', 'pending', 1050n],
    ['draft', 'expense', 0n],
    ['pending', 'expense', -1050n],
    ['pending', 'in-payout', 0n],
    ['in-payout', 'pending', 0n],
    ['in-payout', 'paid', -1050n],
    ['paid', 'in-payout', 1050n],
    ['in-payout', 'expense', -1050n],
  ] as const) {
    it(`a ledger entry from ${debit} to ${credit} changes the balance by ${effect}`, () => {
      assert.equal(effectOnBalance({ ...ENTRY, debit, credit }), effect);
    });
  }
});

/** Returns a row of sums for each ledger entry. Unlike in the database, rows of the same kind are not combined. */
function addedUp(entries: readonly LedgerEntry[]): KindMoved[] {
  return entries.map(({ kind, currency, amount, debit, credit }) => ({
    kind,
    currency,
    amount,
    debit,
    credit,
    entries: 1,
  }));
}

describe('balances and statements', () => {
  it('agree for any ledger entries in one currency', () => {
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 40 }), fc.nat(40), (all, cut) => {
        const dollars = all.filter(({ currency }) => currency === 'USD');
        const [first, second] = [dollars.slice(0, cut), dollars.slice(cut)];
        const balance = balancesOf(dollars)[0]?.balance ?? 0n;
        const before = statementOf('USD', 0n as Minor, addedUp(first));
        const after = statementOf('USD', before.closing, addedUp(second));
        assert.equal(after.opening, before.closing);
        assert.equal(after.closing, balance);
        const sum = after.totals.reduce((total, { effect }) => total + effect, 0n);
        assert.equal(after.opening + sum, after.closing);
        const counted = after.totals.reduce((total, { entries: count }) => total + count, 0);
        assert.equal(counted, second.length);
        const lines = statementLines(after.opening, second);
        assert.equal(lines.at(-1)?.balance ?? after.opening, after.closing);
        // Two consecutive parts of a statement have the same lines as the whole statement.
        const half = statementLines(after.opening, second.slice(0, 3));
        const rest = statementLines(half.at(-1)?.balance ?? after.opening, second.slice(3));
        assert.deepEqual([...half, ...rest], lines);
      }),
    );
  });

  it('keep currencies separate and in alphabetical order', () => {
    const moved = (currency: string) => ({ ...ENTRY, currency, debit: 'expense', credit: 'draft' }) as const;
    assert.deepEqual(
      balancesOf([moved('USD'), moved('EUR'), moved('USD'), moved('GBP')]).map(({ currency, draft, balance }) => [
        currency,
        draft,
        balance,
      ]),
      [
        ['EUR', 1050n, 0n],
        ['GBP', 1050n, 0n],
        ['USD', 2100n, 0n],
      ],
    );
  });
});
