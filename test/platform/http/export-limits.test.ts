import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ExportLimits,
  exportLimits,
  MAX_EXPORTS_OF_CALLER,
  MAX_EXPORTS_OF_ORGANIZATION,
  MAX_EXPORTS_OF_PARTNERS,
  MAX_WAITING_EXPORTS,
  MAX_WAITING_EXPORTS_OF_GROUP,
} from '#platform/http/export-limits.ts';
import type { Caller } from '#platform/http/places.ts';
import type { OrganizationId } from '#core/ids.ts';

/** Starts an export or queues it. `leave` aborts the export, as if its client disconnected. */
function exporting({ begin }: ExportLimits, name: string, organization = 1, kind: Caller['kind'] = 'secret') {
  const closed = new AbortController();
  const beginning = begin({ caller: name, organizationId: organization as OrganizationId, kind }, closed.signal);
  return {
    begun: beginning.then((end) => end !== undefined),
    end: () => beginning.then((end) => end?.()),
    leave: () => closed.abort(),
  };
}

describe('the limits of concurrent exports', () => {
  it('a caller has one export at a time, and the next export begins when the previous export ends', async () => {
    assert.equal(MAX_EXPORTS_OF_CALLER, 1);
    const limits = exportLimits({ atOnce: 4 });
    const first = exporting(limits, 'key 1');
    assert.equal(await first.begun, true);
    let isBegun = false;
    const second = exporting(limits, 'key 1');
    const waiting = second.begun.then((begun) => (isBegun = begun));
    const other = exporting(limits, 'key 2');
    assert.equal(await other.begun, true, 'another caller does not wait for it');
    await other.end();
    assert.equal(isBegun, false);
    await first.end();
    assert.equal(await waiting, true);
  });

  it('an organization has two exports at a time, independent of other organizations', async () => {
    assert.equal(MAX_EXPORTS_OF_ORGANIZATION, 2);
    const limits = exportLimits({ atOnce: 4, waitMs: 1 });
    assert.equal(await exporting(limits, 'key 1').begun, true);
    assert.equal(await exporting(limits, 'key 2').begun, true);
    assert.equal(await exporting(limits, 'key 3').begun, false);
    assert.equal(await exporting(limits, 'key 4', 2).begun, true);
  });

  it('all organizations together have at most a configured number of exports at a time', async () => {
    const limits = exportLimits({ atOnce: 2, waitMs: 1 });
    const first = exporting(limits, 'key 1', 1);
    assert.equal(await first.begun, true);
    assert.equal(await exporting(limits, 'key 2', 2).begun, true);
    assert.equal(await exporting(limits, 'key 3', 3).begun, false);
    await first.end();
    await first.end();
    assert.equal(await exporting(limits, 'key 3', 3).begun, true);
    assert.equal(await exporting(limits, 'key 4', 4).begun, false, 'an export that ends twice frees only one place');
  });

  it('an export is rejected if too many exports of its caller are waiting, and the waiting exports begin in order', async () => {
    const limits = exportLimits({ atOnce: 4 });
    const first = exporting(limits, 'key 1');
    const begun: number[] = [];
    const waiting = Array.from({ length: MAX_WAITING_EXPORTS }, async (_, n) => {
      const mine = exporting(limits, 'key 1');
      assert.equal(await mine.begun, true);
      begun.push(n);
      await mine.end();
    });
    assert.equal(await exporting(limits, 'key 1').begun, false);
    await first.end();
    await Promise.all(waiting);
    assert.deepEqual(begun, [...begun.keys()]);
  });

  it('the partners of an organization together have one export at a time, and don’t delay the merchant', async () => {
    assert.equal(MAX_EXPORTS_OF_PARTNERS, 1);
    const limits = exportLimits({ atOnce: 4 });
    const first = exporting(limits, 'partner 1', 1, 'collaborator');
    assert.equal(await first.begun, true);
    const waiting = Array.from({ length: 2 * MAX_WAITING_EXPORTS }, (_, n) =>
      exporting(limits, `partner ${1 + (n % 2)}`, 1, 'collaborator'),
    );
    const merchant = exporting(limits, 'key 1');
    assert.equal(await merchant.begun, true);
    await first.end();
    assert.equal(await waiting[1]?.begun, true, 'the other partner is next');
    const closed = Promise.all(waiting.map(({ end }) => end()));
    await merchant.end();
    await closed;
    assert.equal(await exporting(limits, 'partner 2', 1, 'collaborator').begun, true);
  });

  it(`the keys of an organization have at most ${MAX_WAITING_EXPORTS_OF_GROUP} waiting exports, and its partners are not affected`, async () => {
    const limits = exportLimits({ atOnce: 1 });
    const first = exporting(limits, 'key 1');
    const waiting = Array.from({ length: MAX_WAITING_EXPORTS_OF_GROUP }, (_, n) => exporting(limits, `key ${n + 2}`));
    assert.equal(await exporting(limits, 'key 999').begun, false);
    const partner = exporting(limits, 'collaborator 1', 1, 'collaborator');
    await Promise.all([first, ...waiting, partner].map((each) => each.end()));
    assert.equal(await partner.begun, true);
  });

  it('an export that has waited too long is rejected', async () => {
    const limits = exportLimits({ atOnce: 4, waitMs: 1 });
    const first = exporting(limits, 'key 1');
    assert.equal(await exporting(limits, 'key 1').begun, false);
    await first.end();
    assert.equal(await exporting(limits, 'key 1').begun, true, 'an export that timed out takes no place');
  });

  it('waiting exports of disconnected clients are dropped', async () => {
    const limits = exportLimits({ atOnce: 4 });
    const first = exporting(limits, 'key 1');
    const gone = Array.from({ length: MAX_WAITING_EXPORTS }, () => exporting(limits, 'key 1'));
    for (const { leave } of gone) leave();
    for (const { begun } of gone) assert.equal(await begun, false);
    const next = exporting(limits, 'key 1');
    await first.end();
    assert.equal(await next.begun, true);
  });

  it('concurrent exports together write one slice per turn of the event loop', async () => {
    const { turn } = exportLimits({ atOnce: 4 });
    let turns = 0;
    let isWatching = true;
    const watch = (): void => {
      turns += 1;
      if (isWatching) setImmediate(watch);
    };
    setImmediate(watch);
    const at = await Promise.all(Array.from({ length: 5 }, () => turn().then(() => turns)));
    isWatching = false;
    assert.equal(new Set(at).size, 5);
  });

  it('concurrent exports pause after each slice for as long as the slice took', async () => {
    const { turn } = exportLimits({ atOnce: 4 });
    const sliceMs = 10;
    let endedAt: number | undefined;
    const pauses: number[] = [];
    const writeSlices = async (): Promise<void> => {
      for (let slice = 0; slice < 3; slice += 1) {
        await turn();
        const begunAt = performance.now();
        if (endedAt !== undefined) pauses.push(begunAt - endedAt);
        while (performance.now() < begunAt + sliceMs);
        endedAt = performance.now();
      }
    };
    await Promise.all([writeSlices(), writeSlices(), writeSlices()]);
    assert.equal(pauses.length, 8);
    // A timer can be early by up to a millisecond.
    assert.ok(Math.min(...pauses) >= sliceMs - 2, pauses.join(', '));
  });
});
