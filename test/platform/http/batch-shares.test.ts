import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrganizationId } from '#core/ids.ts';
import { createBatchShares } from '#platform/http/batcher.ts';
import { byHand, outcomesOf, reportsOf, turn, Unknown } from './batches-by-hand.ts';

const ADA = 1 as OrganizationId;
const BOB = 2 as OrganizationId;

describe('the share of an organization in the batches of all kinds', () => {
  it('a batch waits while the share of its organization is used up, and batches of other organizations don’t wait', async () => {
    const shares = createBatchShares(2);
    const [visits, sales, refunds] = [byHand({ shares }), byHand({ shares }), byHand({ shares })];
    const answers = [visits, sales, refunds].flatMap(({ submitAll }, n) => submitAll(ADA, [`ada-${n}`]));
    answers.push(...refunds.submitAll(BOB, ['bob']));
    await turn();
    assert.deepEqual(reportsOf(visits.begun), [['ada-0']]);
    assert.deepEqual(reportsOf(sales.begun), [['ada-1']]);
    assert.deepEqual(reportsOf(refunds.begun), [['bob']], 'the third batch of the first organization waits');
    visits.begun[0]?.succeed();
    await turn();
    assert.deepEqual(reportsOf(refunds.begun), [['bob'], ['ada-2']]);
    for (const batch of [...sales.begun, ...refunds.begun]) batch.succeed();
    assert.deepEqual(await outcomesOf(answers), ['ada-0', 'ada-1', 'ada-2', 'bob']);
    await Promise.all([visits, sales, refunds].map(({ drained }) => drained()));
  });

  it('a failed batch frees its place', async () => {
    const shares = createBatchShares(1);
    const [visits, sales] = [byHand({ shares }), byHand({ shares })];
    const failed = visits.submitAll(ADA, ['a']);
    await turn();
    const written = sales.submitAll(ADA, ['b']);
    await turn();
    assert.equal(sales.begun.length, 0);
    visits.begun[0]?.fail(new Unknown());
    assert.deepEqual(await outcomesOf(failed), ['Unknown']);
    await turn();
    sales.begun[0]?.succeed();
    assert.deepEqual(await outcomesOf(written), ['b']);
  });
});
