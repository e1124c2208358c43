import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TransactionId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import { contentDifferences } from '#domain/sale-conflict.ts';

const stands = { renews: 7 as TransactionId, total: 1000n as Minor, currency: 'USD' };

it('two contents differ in what is not the same, or else in their items', () => {
  const differences = (change: Partial<typeof stands>) => contentDifferences({ ...stands, ...change }, stands);
  assert.deepEqual(differences({ total: 1001n as Minor }), ['total']);
  assert.deepEqual(differences({ currency: 'EUR', renews: 8 as TransactionId }), ['renews', 'currency']);
  assert.deepEqual(differences({}), ['items']);
});
