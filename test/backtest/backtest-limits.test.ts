import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_TEXT_LENGTH } from '#backtest/domain/backtest.ts';
import { MAX_RESULT_CHARACTERS } from '#backtest/domain/backtest-run.ts';
import { MAX_BACKTESTED, MAX_DEPENDENCIES, MAX_SNAPSHOT_MS } from '#backtest/domain/draft.ts';
import type { OrganizationId } from '#core/ids.ts';
import { ALL_TIME, openBacktests, runAlone } from '#test/backtest/drafts.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

describe('a backtest of drafts', () => {
  let service: TestService;
  let shop: Shop;
  const organizationId = 1 as OrganizationId;
  before(async () => {
    service = await startService();
    shop = openShop(service);
  });
  after(() => service.stop());

  it('refuses a period with too many transactions, a copy that takes too long, and a result that is too large', async () => {
    await shop.program();
    await shop.collaborator('anna');
    const visitor = await shop.visit('anna');
    await shop.sell('l-1', visitor);
    await shop.sell('l-2', visitor);
    await service.settled();
    const limits = {
      backtested: MAX_BACKTESTED,
      dependencies: MAX_DEPENDENCIES,
      snapshotMs: MAX_SNAPSHOT_MS,
      resultCharacters: MAX_RESULT_CHARACTERS,
    };
    const run = (changed: Partial<typeof limits>) =>
      runAlone(
        { connection: service.database, organizationId },
        { period: ALL_TIME, drafts: [{ name: 'none', programs: [] }] },
        { limits: { ...limits, ...changed } },
      );
    assert.deepEqual(await run({ backtested: 1 }), { kind: 'too-many' });
    assert.deepEqual(await run({ snapshotMs: -1 }), { kind: 'too-long' });
    assert.deepEqual(await run({ resultCharacters: 300 }), { kind: 'too-large' });
    assert.equal((await run({ backtested: 2 })).kind, 'done');
  });

  it('cuts long explanations', async () => {
    const program = await shop.program({ attribution: 'linear' });
    const names = Array.from({ length: 20 }, (_, n) => `partner-${n}`);
    for (const name of names) await shop.collaborator(name, { name: `${name} ${'x'.repeat(240)}` });
    let visitor: string | undefined;
    for (const name of names) visitor = await shop.visit(name, visitor === undefined ? {} : { oid: visitor });
    await shop.sell('long', visitor ?? '');
    await service.settled();
    const backtests = openBacktests(service.database, organizationId);
    const changed = await backtests.changed(program, { reward: { type: 'percent', ratePpm: 200_000 } });
    const { differing } = await backtests.run([changed]);
    const texts = differing.find(({ externalId }) => externalId === 'long');
    assert.deepEqual([texts?.recordedText.length, texts?.draftedText.length], [MAX_TEXT_LENGTH, MAX_TEXT_LENGTH]);
    assert.ok(texts?.recordedText.endsWith('…'));
  });
});
