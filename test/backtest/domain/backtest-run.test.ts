import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DraftResult } from '#backtest/domain/backtest.ts';
import { backtestRows } from '#backtest/domain/backtest-rows.ts';
import { draftOf, type NamedDraft, progressPercent, sizeOf } from '#backtest/domain/backtest-run.ts';
import { separateNames, type StoredDraftResult } from '#backtest/domain/stored-result.ts';
import { jsonText } from '#core/contract/json-text.ts';
import type { CollaboratorId, ProgramId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';

const compared = { currency: 'USD', recorded: 1000n as Minor, drafted: 2500n as Minor };
const sale = { transactionId: 31 as TransactionId, source: 'shop', externalId: 'o-1' };
const [ANNA, BEN] = [7 as CollaboratorId, 8 as CollaboratorId];

const result: DraftResult = {
  name: 'Draft 1',
  totals: [
    {
      ...compared,
      revenue: 10_000n as Minor,
      recordedPpm: 100_000,
      draftedPpm: 250_000,
      gaining: 1,
      losing: 0,
      changingHands: 1,
    },
  ],
  partners: [{ ...compared, collaboratorId: ANNA, name: 'Anna' }],
  months: [{ ...compared, month: '2026-03', revenue: 10_000n as Minor }],
  lines: [
    { ...compared, name: 'Tea', type: 'product' },
    { ...compared, name: null, type: null },
  ],
  hands: [{ ...compared, ...sale, recordedEarners: [BEN], draftedEarners: [ANNA, BEN] }],
  differing: [{ ...compared, ...sale, recordedText: 'Ben earned', draftedText: 'Anna earned', namedIds: [BEN, ANNA] }],
};

describe('the result of a backtest', () => {
  it('has an approximate size that is larger than its JSON text', () => {
    assert.equal(
      sizeOf(result),
      7 * 200 + 'Anna'.length + 'Tea'.length + 2 * 'shop'.length + 2 * 'o-1'.length + 3 * 300 + 21,
    );
    assert.ok(sizeOf(result) > jsonText(result).length);
  });

  it('is stored without names of collaborators, except in texts, with the ids of the collaborators who are named there', () => {
    const { drafts, namedIds } = separateNames([result]);
    assert.deepEqual(namedIds, [ANNA, BEN]);
    const { name: _, partners: __, differing: ___, ...rest } = result;
    assert.deepEqual(drafts, [
      {
        ...rest,
        partners: [{ ...compared, collaboratorId: ANNA }],
        differing: [{ ...compared, ...sale, recordedText: 'Ben earned', draftedText: 'Anna earned' }],
      },
    ]);
  });

  it('has a row in the file for each row of its tables, with amounts in major units', () => {
    const { drafts } = separateNames([result]);
    const stored = JSON.parse(
      JSON.stringify(drafts[0], (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
    ) as StoredDraftResult;
    const amounts = ['10.00', '25.00', '15.00'];
    assert.deepEqual(
      backtestRows('Draft 1', stored, (id) => (id === ANNA ? 'Anna' : 'Ben')),
      [
        ['Draft 1', 'total', null, null, 'USD', '100.00', ...amounts, null, null],
        ['Draft 1', 'collaborator', 7, 'Anna', 'USD', null, ...amounts, null, null],
        ['Draft 1', 'month', '2026-03', null, 'USD', '100.00', ...amounts, null, null],
        ['Draft 1', 'line', 'product', 'Tea', 'USD', null, ...amounts, null, null],
        ['Draft 1', 'line', null, null, 'USD', null, ...amounts, null, null],
        ['Draft 1', 'changed-hands', 31, 'o-1', 'USD', null, ...amounts, 'Ben', 'Anna, Ben'],
        ['Draft 1', 'difference', 31, 'o-1', 'USD', null, ...amounts, 'Ben earned', 'Anna earned'],
      ],
    );
  });
});

describe('the progress of a backtest', () => {
  it('is rounded down, and below 100% until the result is stored', () => {
    const percent = (decided: number, total: number) => progressPercent({ decided, total });
    assert.deepEqual([percent(0, 0), percent(1, 3), percent(999, 1000), percent(3, 3)], [0, 33, 99, 99]);
  });
});

describe('draftOf', () => {
  it('returns a draft with one program', () => {
    const terms = {} as NamedDraft['terms'];
    const named: NamedDraft = { name: 'Draft 1', terms, enrolled: [ANNA] };
    assert.deepEqual(draftOf(5 as ProgramId, named), {
      name: 'Draft 1',
      programs: [{ programId: 5, terms, enrolled: [ANNA] }],
    });
  });
});
