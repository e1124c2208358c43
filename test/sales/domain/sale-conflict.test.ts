import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { contentDifferences } from '#sales/domain/sale-conflict.ts';

const stands = { renews: 7 as TransactionId, total: 1000n as Minor, currency: 'USD' };

it('contentDifferences: lists the differing fields of two sales, or the items if no field differs', () => {
  const differences = (change: Partial<typeof stands>) => contentDifferences({ ...stands, ...change }, stands);
  assert.deepEqual(differences({ total: 1001n as Minor }), ['total']);
  assert.deepEqual(differences({ currency: 'EUR', renews: 8 as TransactionId }), ['renews', 'currency']);
  assert.deepEqual(differences({}), ['items']);
});
