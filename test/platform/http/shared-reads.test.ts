import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { READING_SHARE, sharedReads } from '#platform/http/shared-reads.ts';

describe('shared reads', () => {
  it('concurrent calls for one key share a read, and a call during a read gets the result of the next read', async () => {
    const share = sharedReads<number>();
    let reads = 0;
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const read = async (): Promise<number> => {
      reads += 1;
      const mine = reads;
      begun.resolve();
      await held.promise;
      return mine;
    };
    const first = [share('mugs', read), share('mugs', read)];
    await begun.promise;
    const second = [share('mugs', read), share('mugs', read)];
    held.resolve();
    assert.deepEqual(await Promise.all(first), [1, 1]);
    assert.deepEqual(await Promise.all(second), [2, 2]);
    assert.equal(await share('other', async () => 7), 7, 'another key has reads of its own');
  });

  it(`reads for one key take at most ${READING_SHARE}% of the time`, async () => {
    const share = sharedReads<{ startedAt: number; endedAt: number; usedMs: number }>();
    const read = async () => {
      const startedAt = performance.now();
      const before = process.cpuUsage();
      const cpuMs = () => process.cpuUsage(before).user / 1_000;
      while (cpuMs() < 5);
      const usedMs = Math.min(cpuMs(), performance.now() - startedAt);
      return { startedAt, endedAt: performance.now(), usedMs };
    };
    const { endedAt, usedMs } = await share('mugs', read);
    const { startedAt: nextAt } = await share('mugs', read);
    const pauseMs = usedMs * (100 / READING_SHARE - 1);
    // Timers can fire up to a millisecond early.
    assert.ok(nextAt - endedAt >= pauseMs - 1, `${nextAt - endedAt} of ${pauseMs} ms`);
  });

  it('a failed read rejects its calls, and the next call reads again', async () => {
    const share = sharedReads<number>();
    await assert.rejects(
      share('mugs', async () => {
        throw new Error('down');
      }),
      /down/,
    );
    assert.equal(await share('mugs', async () => 1), 1);
  });
});
