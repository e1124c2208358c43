import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeLines } from '#programs/commands/judge-lines.ts';
import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import { type LineFilter, lineTestOf } from '#programs/domain/line-filter.ts';

describe('judging the lines of a large sale for many programs', () => {
  const lines = Array.from({ length: 1_000 }, (_, n): Line => ({
    externalId: null,
    name: `${'a'.repeat(250)}${n}`,
    type: 'product',
    quantity: 1,
    amount: 1n as Minor,
    total: 1n as Minor,
  }));
  const slow = (n: number): LineFilter => ({
    include: [],
    exclude: Array.from({ length: 4 }, (_, at) => ({ by: 'name', pattern: `${'*a'.repeat(110)}${n}${at}*b` })),
  });

  it('lets other work run in between, and gives the same results as the filter', async () => {
    const filters = Array.from({ length: 10 }, (_, n) => slow(n));
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await judgeLines(
      lines,
      filters.map((lineFilter) => ({ lineFilter })),
    );
    isDone = true;
    assert.ok(turns > 10, `${turns} turns`);
    for (const filter of filters) assert.ok(lines.every(lineTestOf(filter)));
  });

  it('accepts a program without a line filter', async () => {
    await judgeLines(lines, [{ lineFilter: null }]);
  });
});
