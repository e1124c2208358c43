import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { costPpm, splitAmongLines } from '#backtest/domain/backtest.ts';
import { MAX_BACKTESTED, MAX_DEPENDENCIES } from '#backtest/domain/draft.ts';
import type { Minor } from '#core/money.ts';
import type { Line, LineType } from '#programs/domain/line.ts';

const line = (type: LineType, total: number, quantity = 1): Line => ({
  externalId: null,
  name: `${type} ${total}`,
  type,
  quantity,
  amount: BigInt(total) as Minor,
  total: BigInt(total) as Minor,
});
const rules = { countedLines: ['product', 'discount'], lineFilter: null } as const;
const share = (amount: number, byQuantity = false) => ({ amount: BigInt(amount) as Minor, byQuantity, rules });

describe('splitAmongLines', () => {
  it('splits a commission in proportion to the amounts of the counted lines, and gives no part to discounts', () => {
    const lines = [line('product', 6000), line('product', 3000), line('shipping', 500), line('discount', -900)];
    assert.deepEqual(splitAmongLines(lines, share(810)), [540n, 270n, 0n, 0n]);
  });

  it('splits a commission per piece in proportion to the pieces', () => {
    assert.deepEqual(splitAmongLines([line('product', 100, 3), line('product', 900, 1)], share(400, true)), [
      300n,
      100n,
    ]);
  });

  it('returns undefined without a counted line above zero', () => {
    assert.equal(splitAmongLines([], share(500)), undefined);
    assert.equal(splitAmongLines([line('shipping', 500), line('product', 0)], share(500)), undefined);
  });

  it('returns parts that add up to the commission', () => {
    const amounts = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(
        amounts,
        fc.array(amounts, { minLength: 1, maxLength: 9 }),
        fc.boolean(),
        (amount, totals, byQuantity) => {
          const lines = totals.map((total) => line('product', total, 1 + (total % 5)));
          const parts = splitAmongLines(lines, share(amount, byQuantity)) ?? [];
          assert.equal(
            parts.reduce((sum, part) => sum + part, 0n),
            BigInt(amount),
          );
        },
      ),
    );
  });
});

describe('costPpm', () => {
  it('returns the cost in millionths of the revenue, rounded down, or null without revenue', () => {
    assert.equal(costPpm(1900n as Minor, 19000n as Minor), 100_000);
    assert.equal(costPpm(1n as Minor, 3n as Minor), 333_333);
    assert.equal(costPpm(0n as Minor, 0n as Minor), null);
  });
});

describe('the limits of a backtest', () => {
  it('allow at least as many transactions outside the period as in the period', () => {
    assert.ok(MAX_DEPENDENCIES >= MAX_BACKTESTED);
  });
});
