import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrganizationId } from '#core/ids.ts';
import { BATCH_LIMITS, type BatcherOptions, createBatcher } from '#platform/http/batcher.ts';
import { type Batch, byHand, LIGHT, outcomesOf, reportsOf, turn, Undone, Unknown } from './batches-by-hand.ts';
import { Overloaded } from '#core/failures.ts';

const ADA = 1 as OrganizationId;
const BOB = 2 as OrganizationId;

const named = (count: number, prefix = 'r') => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const sizesOf = (batches: readonly Batch[]) => batches.map(({ reports }) => reports.length);

describe('batching', () => {
  it('an organization’s reports of one event loop turn are written in one batch, and each resolves with its own outcome', async () => {
    const { submitAll, begun } = byHand();
    const answers = submitAll(ADA, ['a', 'b', 'c']);
    assert.equal(begun.length, 0, 'no batch begins before the turn ends');
    await turn();
    assert.deepEqual(reportsOf(begun), [['a', 'b', 'c']]);
    begun[0]?.answer(['A', 'B', 'C']);
    assert.deepEqual(await outcomesOf(answers), ['A', 'B', 'C']);
  });

  it('no report resolves before its write has ended', async () => {
    const { submit, begun } = byHand();
    let answered = false;
    const answer = submit(ADA, 'a', LIGHT).then(() => (answered = true));
    await turn();
    await turn();
    assert.equal(answered, false);
    begun[0]?.succeed();
    await answer;
  });

  it('the first batch is written at once, and reports that arrive during its write are gathered for the next batch', async () => {
    const { submitAll, begun, writeAll } = byHand();
    const answers = [...submitAll(ADA, ['a'])];
    await turn();
    for (const report of ['b', 'c', 'd']) {
      answers.push(...submitAll(ADA, [report]));
      await turn();
    }
    assert.deepEqual(reportsOf(begun), [['a']], 'an organization has one batch at a time');
    await writeAll();
    assert.deepEqual(reportsOf(begun), [['a'], ['b', 'c', 'd']]);
    assert.deepEqual(await outcomesOf(answers), ['a', 'b', 'c', 'd']);
  });

  it('rejects with Overloaded a report that its batch did not write, and resolves the other reports of the batch', async () => {
    const { submitAll, begun } = byHand();
    const answers = submitAll(ADA, ['a', 'b']);
    await turn();
    begun[0]?.answer(['A']);
    assert.deepEqual(await outcomesOf(answers), ['A', 'Overloaded']);
  });

  it('rejects all waiting reports of every organization if the database does not respond, and writes none of them', async () => {
    const isUnresponsive = (error: unknown): boolean => error instanceof Unknown;
    const { submitAll, begun, writeAll } = byHand({ isUnresponsive, limits: { writers: 1 } });
    const first = submitAll(ADA, ['a']);
    await turn();
    const later = [...submitAll(ADA, ['b', 'c']), ...submitAll(BOB, ['d'])];
    await turn();
    begun[0]?.fail(new Unknown());
    assert.deepEqual(await outcomesOf([...first, ...later]), Array(4).fill('Unknown'));
    assert.equal(begun.length, 1);
    const next = submitAll(BOB, ['e']);
    await turn();
    await writeAll();
    assert.deepEqual(await outcomesOf(next), ['e']);
  });

  it('stops writing reports one by one if the database does not respond', async () => {
    const isUnresponsive = (error: unknown): boolean => error instanceof Unknown;
    const { submitAll, begun } = byHand({ isUnresponsive });
    const answers = submitAll(ADA, ['a', 'b', 'c']);
    await turn();
    begun[0]?.fail(new Undone());
    await turn();
    begun[1]?.succeed();
    await turn();
    begun[2]?.fail(new Unknown());
    assert.deepEqual(await outcomesOf(answers), ['a', 'Unknown', 'Unknown']);
    assert.equal(begun.length, 3);
  });

  it('rejects the reports of a write that throws synchronously, and writes the next batch', async () => {
    let calls = 0;
    const { submit, drained } = createBatcher<string, string>(
      (_, reports) => {
        calls += 1;
        if (calls === 1) throw new Unknown();
        return Promise.resolve(reports);
      },
      { isHarmless: () => false },
    );
    assert.deepEqual(await outcomesOf([submit(ADA, 'a', LIGHT)]), ['Unknown']);
    assert.deepEqual(await outcomesOf([submit(ADA, 'b', LIGHT)]), ['b']);
    await drained();
  });
});

describe('the size of a batch', () => {
  it(`a batch has at most ${BATCH_LIMITS.reports} reports`, async () => {
    const { submitAll, writeAll } = byHand();
    const answers = submitAll(ADA, named(2_500), { lines: 0, bytes: 1 });
    await turn();
    assert.deepEqual(sizesOf(await writeAll()), [1_000, 1_000, 500]);
    assert.deepEqual(await outcomesOf(answers), named(2_500), 'outcomes are in the order of the reports');
  });

  it(`a batch of several reports has at most ${BATCH_LIMITS.lines} lines`, async () => {
    const { submitAll, writeAll } = byHand();
    void submitAll(ADA, named(51), { lines: 100, bytes: 1 });
    await turn();
    assert.deepEqual(sizesOf(await writeAll()), [50, 1]);
  });

  it('a batch of several reports has at most 1 MiB, and is filled to the last byte', async () => {
    const { submitAll, writeAll } = byHand();
    void submitAll(ADA, named(9), { lines: 1, bytes: 262_144 });
    await turn();
    assert.deepEqual(sizesOf(await writeAll()), [4, 4, 1]);
  });

  it('a sale of more than 100 lines is written in a batch alone', async () => {
    const { submit, submitAll, writeAll } = byHand();
    void submitAll(ADA, ['a', 'b'], { lines: 100, bytes: 1 });
    void submit(ADA, 'long', { lines: 101, bytes: 1 });
    void submit(ADA, 'longer', { lines: 1_000, bytes: 1 });
    void submitAll(ADA, ['c', 'd']);
    await turn();
    assert.deepEqual(reportsOf(await writeAll()), [['a', 'b'], ['long'], ['longer'], ['c', 'd']]);
  });

  it('a report that exceeds the limits of lines and bytes of a batch is written in a batch alone', async () => {
    const { submit, submitAll, writeAll } = byHand();
    void submit(ADA, 'huge', { lines: 6_000, bytes: 2_097_152 });
    void submitAll(ADA, ['a']);
    await turn();
    assert.deepEqual(reportsOf(await writeAll()), [['huge'], ['a']]);
  });
});

describe('batches of several organizations', () => {
  it('batches contain reports of one organization each, and are written in parallel', async () => {
    const { submitAll, begun } = byHand();
    void submitAll(ADA, ['a']);
    void submitAll(BOB, ['b']);
    void submitAll(ADA, ['c']);
    await turn();
    assert.deepEqual(
      begun.map(({ organizationId, reports }) => [organizationId, reports]),
      [
        [ADA, ['a', 'c']],
        [BOB, ['b']],
      ],
    );
  });

  it('an organization is not delayed by the slow write of another organization', async () => {
    const { submitAll, begun } = byHand();
    void submitAll(ADA, ['slow']);
    await turn();
    for (const report of ['a', 'b', 'c']) {
      const answers = submitAll(BOB, [report]);
      await turn();
      begun.at(-1)?.succeed();
      assert.deepEqual(await outcomesOf(answers), [report]);
    }
  });

  it(`batches rotate between organizations if more than ${BATCH_LIMITS.writers} organizations are waiting`, async () => {
    const { submitAll, begun } = byHand({ limits: { reports: 1 } });
    const all = [1, 2, 3, 4, 5, 6] as OrganizationId[];
    for (const organizationId of all) void submitAll(organizationId, ['first', 'second', 'third']);
    await turn();
    assert.equal(begun.length, BATCH_LIMITS.writers);
    for (let written = 0; written < begun.length; written += 1) {
      begun[written]?.succeed();
      await turn();
      assert.ok(begun.length - written - 1 <= BATCH_LIMITS.writers, 'concurrent batches never exceed the writers');
    }
    const order = begun.map(({ organizationId }) => organizationId);
    assert.deepEqual(order, [...all, ...all, ...all]);
  });

  it('with one writer, the organization that has waited longest is next, even if another has more reports', async () => {
    const { submitAll, begun } = byHand({ limits: { writers: 1, reports: 2 } });
    void submitAll(ADA, named(6, 'a'));
    await turn();
    void submitAll(BOB, ['b']);
    begun[0]?.succeed();
    await turn();
    assert.deepEqual(
      begun.map(({ organizationId }) => organizationId),
      [ADA, ADA],
      'the organization that waited first is next',
    );
    begun[1]?.succeed();
    await turn();
    assert.equal(begun[2]?.organizationId, BOB);
  });
});

describe('a failed batch', () => {
  it('a batch of several reports is written again report by report after a failure that wrote nothing', async () => {
    const { submitAll, begun, sizes } = byHand();
    const answers = outcomesOf(submitAll(ADA, ['a', 'faulty', 'c']));
    await turn();
    begun[0]?.fail(new Undone());
    for (const index of [1, 2, 3]) {
      await turn();
      if (begun[index]?.reports[0] === 'faulty') begun[index].fail(new Undone());
      else begun[index]?.succeed();
    }
    assert.deepEqual(await answers, ['a', 'Undone', 'c']);
    assert.deepEqual(sizes, [3, 1, 1, 1]);
    assert.deepEqual(reportsOf(begun.slice(1)), [['a'], ['faulty'], ['c']]);
  });

  it('a single report that failed is not retried', async () => {
    const { submitAll, begun } = byHand();
    const answers = submitAll(ADA, ['faulty']);
    await turn();
    begun[0]?.fail(new Undone());
    assert.deepEqual(await outcomesOf(answers), ['Undone']);
    assert.equal(begun.length, 1);
  });

  it('a batch with an unknown outcome is not retried, because it may have been stored', async () => {
    const { submitAll, begun } = byHand();
    const answers = submitAll(ADA, ['a', 'b', 'c']);
    await turn();
    begun[0]?.fail(new Unknown());
    assert.deepEqual(await outcomesOf(answers), ['Unknown', 'Unknown', 'Unknown']);
    await turn();
    assert.equal(begun.length, 1);
  });

  it('reports that arrive during a failing write are written in the next batch', async () => {
    const { submitAll, begun } = byHand();
    const first = submitAll(ADA, ['a', 'b']);
    await turn();
    const later = submitAll(ADA, ['c']);
    begun[0]?.fail(new Undone());
    for (const index of [1, 2, 3]) {
      await turn();
      begun[index]?.succeed();
    }
    assert.deepEqual(await outcomesOf([...first, ...later]), ['a', 'b', 'c']);
    assert.deepEqual(reportsOf(begun), [['a', 'b'], ['a'], ['b'], ['c']]);
  });
});

describe('batching while reports of other kinds are in progress', () => {
  /** A gathering time in milliseconds that does not end during a test. */
  const FOR_EVER_MS = 600_000;
  const beside = (others: number, limits: BatcherOptions['limits'] = {}) => {
    const kind = byHand({
      underWay: (): number => others + kind.waiting(),
      limits: { gatheringMs: FOR_EVER_MS, ...limits },
    });
    return kind;
  };

  it('begins a batch at once after a pause, and the next batch when enough reports are gathered', async () => {
    const { submitAll, begun } = beside(BATCH_LIMITS.gatheringBeside, { gathered: 3 });
    const answers = submitAll(ADA, ['a']);
    await turn();
    begun[0]?.succeed();
    await turn();
    answers.push(...submitAll(ADA, ['b', 'c']));
    await turn();
    assert.deepEqual(reportsOf(begun), [['a']], 'no batch begins, although none is in progress');
    answers.push(...submitAll(ADA, ['d']));
    await turn();
    assert.deepEqual(reportsOf(begun), [['a'], ['b', 'c', 'd']]);
    begun[1]?.succeed();
    assert.deepEqual(await outcomesOf(answers), ['a', 'b', 'c', 'd']);
  });

  it('begins a batch when the maximum gathering time has passed', async () => {
    const others = BATCH_LIMITS.gatheringBeside;
    const kind = createBatcher<string, string>((_, reports) => Promise.resolve(reports), {
      isHarmless: () => false,
      underWay: (): number => others + kind.waiting(),
      limits: { gatheringMs: 1 },
    });
    for (const report of ['a', 'b', 'c']) assert.equal(await kind.submit(ADA, report, LIGHT), report);
  });

  it(`does not wait to gather reports if fewer than ${BATCH_LIMITS.gatheringBeside} reports of other kinds are in progress`, async () => {
    const { submitAll, begun, writeAll } = beside(BATCH_LIMITS.gatheringBeside - 1);
    for (const report of ['a', 'b']) {
      const answers = submitAll(ADA, [report]);
      await turn();
      await writeAll();
      assert.deepEqual(await outcomesOf(answers), [report]);
    }
    assert.deepEqual(reportsOf(begun), [['a'], ['b']]);
  });

  it('does not delay an organization because another organization began a batch', async () => {
    const { submitAll, writeAll } = beside(BATCH_LIMITS.gatheringBeside);
    for (let n = 0; n < 2 * BATCH_LIMITS.writers; n += 1) {
      const answers = submitAll((10 + n) as OrganizationId, [`of ${n}`]);
      await turn();
      assert.equal((await writeAll()).length, n + 1);
      assert.deepEqual(await outcomesOf(answers), [`of ${n}`]);
    }
  });
});

describe('a batcher at its limits of waiting reports', () => {
  it('rejects further reports with Overloaded until some are written', async () => {
    const { submitAll, begun, waiting } = byHand({ limits: { waitingReports: 3 } });
    const answers = submitAll(ADA, ['a', 'b', 'c']);
    assert.deepEqual(
      await outcomesOf(submitAll(BOB, ['d'])),
      ['Overloaded'],
      'the limit is shared by all organizations',
    );
    await turn();
    assert.equal(waiting(), 3, 'reports that are being written still count');
    assert.deepEqual(await outcomesOf(submitAll(ADA, ['e'])), ['Overloaded']);
    begun[0]?.succeed();
    assert.deepEqual(await outcomesOf(answers), ['a', 'b', 'c']);
    const after = submitAll(ADA, ['f']);
    await turn();
    begun[1]?.succeed();
    assert.deepEqual(await outcomesOf(after), ['f']);
    assert.deepEqual(reportsOf(begun), [['a', 'b', 'c'], ['f']], 'rejected reports are never written');
  });

  it('at the limit of one organization, rejects its further reports with Overloaded, and accepts reports of another organization', async () => {
    const { submitAll, begun } = byHand({ limits: { waitingOfOrganization: 2 } });
    const writing = submitAll(ADA, ['a']);
    await turn();
    const waiting = submitAll(ADA, ['b', 'c']);
    assert.deepEqual(await outcomesOf(submitAll(ADA, ['d'])), ['Overloaded']);
    const other = submitAll(BOB, ['e']);
    await turn();
    begun[0]?.succeed();
    begun[1]?.succeed();
    assert.deepEqual(await outcomesOf(other), ['e']);
    assert.deepEqual(await outcomesOf(writing), ['a']);
    await turn();
    begun[2]?.succeed();
    assert.deepEqual(await outcomesOf(waiting), ['b', 'c']);
  });

  it('rejects a report whose bytes do not fit, and accepts a smaller report', async () => {
    const { submit, begun } = byHand({ limits: { waitingBytes: 1_000 } });
    const most = submit(ADA, 'most', { lines: 1, bytes: 999 });
    await assert.rejects(submit(ADA, 'two', { lines: 1, bytes: 2 }), Overloaded);
    const last = submit(ADA, 'one', { lines: 1, bytes: 1 });
    await assert.rejects(submit(ADA, 'none', { lines: 1, bytes: 1 }), Overloaded);
    await turn();
    begun[0]?.succeed();
    assert.deepEqual(await outcomesOf([most, last]), ['most', 'one']);
  });

  const ways: Record<string, (begun: readonly Batch[]) => Promise<void>> = {
    'were written': async (begun) => {
      begun[0]?.succeed();
      await turn();
    },
    'were written one by one': async (begun) => {
      begun[0]?.fail(new Undone());
      for (const index of [1, 2, 3]) {
        await turn();
        if (index === 2) begun[index]?.fail(new Undone());
        else begun[index]?.succeed();
      }
      await turn();
    },
    'were written one by one during an outage': async (begun) => {
      begun[0]?.fail(new Undone());
      for (const index of [1, 2, 3]) {
        await turn();
        begun[index]?.fail(new Unknown());
      }
      await turn();
    },
    'have an unknown outcome': async (begun) => {
      begun[0]?.fail(new Unknown());
      await turn();
    },
    'have too few outcomes': async (begun) => {
      begun[0]?.answer([]);
      await turn();
    },
  };
  for (const [way, end] of Object.entries(ways)) {
    it(`all memory for waiting reports is available again once the reports ${way}`, async () => {
      const limits = { waitingReports: 3, waitingBytes: 300 };
      const { submitAll, begun, waiting, writeAll } = byHand({ limits });
      const answers = outcomesOf(submitAll(ADA, ['a', 'b', 'c']));
      await turn();
      await end(begun);
      await answers;
      assert.equal(waiting(), 0);
      // Three reports of the same size fit again, and no further report fits.
      const again = outcomesOf(submitAll(ADA, ['d', 'e', 'f']));
      assert.deepEqual(await outcomesOf(submitAll(ADA, ['g'], { lines: 0, bytes: 0 })), ['Overloaded']);
      await turn();
      await writeAll();
      assert.deepEqual(await again, ['d', 'e', 'f']);
      assert.equal(waiting(), 0);
    });
  }
});

describe('drained(): waiting for all submitted reports', () => {
  it('resolves at once if no report is waiting', async () => {
    await byHand().drained();
  });

  it('resolves only after every submitted report has an outcome', async () => {
    const { submitAll, drained, begun } = byHand({ limits: { reports: 1 } });
    const answers = outcomesOf([...submitAll(ADA, ['a', 'b']), ...submitAll(BOB, ['c'])]);
    let isDrained = false;
    const done = Promise.all([drained(), drained()]).then(() => (isDrained = true));
    for (let written = 0; written < 3; written += 1) {
      await turn();
      assert.equal(isDrained, false);
      begun[written]?.succeed();
    }
    await done;
    assert.deepEqual(await answers, ['a', 'b', 'c']);
  });

  it('resolves even if a batch has failed', async () => {
    const { submitAll, drained, begun } = byHand();
    const answers = outcomesOf(submitAll(ADA, ['a', 'b']));
    await turn();
    begun[0]?.fail(new Unknown());
    await drained();
    assert.deepEqual(await answers, ['Unknown', 'Unknown']);
  });
});
