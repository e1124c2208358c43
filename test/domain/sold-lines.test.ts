import assert from 'node:assert/strict';
import { it } from 'node:test';
import { soldLines } from '#domain/sold-lines.ts';
import { line, minor } from './facts.ts';

it('a sale without items is one line of its total, any other its items', () => {
  const items = [line(1999), line(500)];
  assert.deepEqual(soldLines(items, minor(100)), items);
  assert.deepEqual(soldLines([], minor(100)), [
    { externalId: null, name: 'Order', type: 'product', quantity: 1, amount: minor(100) },
  ]);
});
