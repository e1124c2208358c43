import { after, before, describe, it } from 'node:test';
import { keepBooks } from '#test/support/books.ts';
import { placeAt, startBuyers, startPatientBuyers } from '#test/support/buyers.ts';
import { waitUntilSettled } from '#test/support/service.ts';
import { EACH, endAll, isWhole, KEY, openStage, type Stage } from '#test/support/upgrades.ts';

describe('an upgrade with downtime, while reports arrive', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.clear());

  it('loses no report: unanswered reports are retried, and waiting reports are decided after the upgrade', async () => {
    const { database, startOld, startYoung } = stage;
    const [api, worker] = [await startOld({ WHENCE_ROLE: 'api' }), await startOld({ WHENCE_ROLE: 'worker' })];
    const place = placeAt(api.url);
    const buyers = startPatientBuyers(place, KEY, 'old');
    await buyers.until(EACH);
    // Stop the worker, so that reports are stored but not decided from now on.
    await endAll(worker);
    await buyers.until(2 * EACH);
    await endAll(api);
    // Both processes try to migrate the database, and one of them does.
    const [young, other] = await Promise.all([startYoung(), startYoung()]);
    place.move(young.url);
    const second = startBuyers(other.url, KEY, 'young');
    await Promise.all([buyers.until(3 * EACH), second.until(EACH)]);
    await Promise.all([buyers.end(), second.end()]);
    await waitUntilSettled(database);
    const books = await keepBooks(other.url, KEY, () => true);
    await waitUntilSettled(database);
    await endAll(young, other);
    await isWhole(database, [buyers, second], [books]);
  });
});
