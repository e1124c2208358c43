import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keepBooks } from '#test/support/books.ts';
import { startBuyers } from '#test/support/buyers.ts';
import { waitUntilSettled } from '#test/support/service.ts';
import { EACH, endAll, isMigrated, isWhole, KEY, openStage, type Stage } from '#test/support/upgrades.ts';

/**
 * The number of buyers that report to each process while merchants review conversions. With more buyers, a slow machine
 * would decide too slowly, and the reviews would wait.
 */
const FEW = 2;

describe('an upgrade under load', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.clear());

  it('rejects and loses no report: the old process works until the new process takes over', async () => {
    const { database, startOld, startYoung } = stage;
    const old = await startOld();
    const crowd = startBuyers(old.url, KEY, 'old-crowd');
    await crowd.until(EACH);
    const young = await startYoung();
    assert.ok(await isMigrated(database));
    await crowd.until(crowd.sold.length + EACH);
    await crowd.end();
    await waitUntilSettled(database);

    const first = startBuyers(old.url, KEY, 'old', FEW);
    const second = startBuyers(young.url, KEY, 'young', FEW);
    const books = await Promise.all([
      keepBooks(old.url, KEY, (transaction) => transaction % 2 === 0),
      keepBooks(young.url, KEY, (transaction) => transaction % 2 === 1),
    ]);
    await Promise.all([first.until(EACH), second.until(EACH)]);
    await first.end();
    await endAll(old);
    await second.until(2 * EACH);
    await second.end();
    await waitUntilSettled(database);
    await endAll(young);
    await isWhole(database, [crowd, first, second], books);
  });
});
