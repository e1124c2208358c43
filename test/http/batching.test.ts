import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrganizationId } from '#domain/ids.ts';
import { BATCH_LIMITS, batching, type BatchingOptions, Overloaded, type Weight } from '#http/batching.ts';

const ADA = 1 as OrganizationId;
const BOB = 2 as OrganizationId;
const LIGHT: Weight = { lines: 1, bytes: 100 };

/** A batch that is being written: it stays so until one of these is called. */
type Batch = {
  readonly organizationId: OrganizationId;
  readonly reports: readonly string[];
  /** Each report's outcome is its own text. */
  readonly succeed: () => void;
  readonly answer: (outcomes: readonly string[]) => void;
  readonly fail: (error: Error) => void;
};

class Undone extends Error {}
class Unknown extends Error {}

/** Batching whose writes end when the test says so. */
function byHand(options: Partial<BatchingOptions> = {}) {
  const begun: Batch[] = [];
  const sizes: number[] = [];
  const { submit, drained, waiting } = batching<string, string>(
    (organizationId, reports) =>
      new Promise((resolve, reject) => {
        begun.push({
          organizationId,
          reports,
          succeed: () => resolve(reports),
          answer: resolve,
          fail: reject,
        });
      }),
    { isHarmless: (error) => error instanceof Undone, onBatch: (size) => sizes.push(size), ...options },
  );
  const submitAll = (organizationId: OrganizationId, reports: readonly string[], weight = LIGHT) =>
    reports.map((report) => submit(organizationId, report, weight));
  /** Lets all of them be written, one after the other, and answers them in that order. */
  const writeAll = async (): Promise<readonly Batch[]> => {
    for (let written = 0; written < begun.length; written += 1) {
      begun[written]?.succeed();
      await turn();
    }
    return begun;
  };
  return { submit, submitAll, drained, waiting, begun, sizes, writeAll };
}

/** A turn of the event loop, after which everything that could go on has. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const named = (count: number, prefix = 'r') => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const reportsOf = (batches: readonly Batch[]) => batches.map(({ reports }) => reports);
const sizesOf = (batches: readonly Batch[]) => batches.map(({ reports }) => reports.length);
/** What became of each: its outcome, or the name of its error's class. */
async function outcomesOf(promises: readonly Promise<string>[]): Promise<string[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).constructor.name));
}

describe('batching', () => {
  it('writes together what was submitted in one turn, in its order, and answers each with its own outcome', async () => {
    const { submitAll, begun } = byHand();
    const answers = submitAll(ADA, ['a', 'b', 'c']);
    assert.equal(begun.length, 0, 'not before the turn ends');
    await turn();
    assert.deepEqual(reportsOf(begun), [['a', 'b', 'c']]);
    begun[0]?.answer(['A', 'B', 'C']);
    assert.deepEqual(await outcomesOf(answers), ['A', 'B', 'C']);
  });

  it('answers nothing before the write has ended', async () => {
    const { submit, begun } = byHand();
    let answered = false;
    const answer = submit(ADA, 'a', LIGHT).then(() => (answered = true));
    await turn();
    await turn();
    assert.equal(answered, false);
    begun[0]?.succeed();
    await answer;
  });

  it('waits on no timer while the writer is idle, and gathers the next batch while one is being written', async () => {
    const { submitAll, begun, writeAll } = byHand();
    const answers = [...submitAll(ADA, ['a'])];
    await turn();
    for (const report of ['b', 'c', 'd']) {
      answers.push(...submitAll(ADA, [report]));
      await turn();
    }
    assert.deepEqual(reportsOf(begun), [['a']], 'one batch of an organization at a time');
    await writeAll();
    assert.deepEqual(reportsOf(begun), [['a'], ['b', 'c', 'd']]);
    assert.deepEqual(await outcomesOf(answers), ['a', 'b', 'c', 'd']);
  });

  it('a report that the write left out may be sent again; its neighbours have their outcomes', async () => {
    const { submitAll, begun } = byHand();
    const answers = submitAll(ADA, ['a', 'b']);
    await turn();
    begun[0]?.answer(['A']);
    assert.deepEqual(await outcomesOf(answers), ['A', 'Overloaded']);
  });

  it('a write that throws at once fails its reports and holds up nobody', async () => {
    let calls = 0;
    const { submit, drained } = batching<string, string>(
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

describe('a batch ends', () => {
  it(`at ${BATCH_LIMITS.reports} reports`, async () => {
    const { submitAll, writeAll } = byHand();
    const answers = submitAll(ADA, named(2_500), { lines: 0, bytes: 1 });
    await turn();
    assert.deepEqual(sizesOf(await writeAll()), [1_000, 1_000, 500]);
    assert.deepEqual(await outcomesOf(answers), named(2_500), 'in the order of their coming');
  });

  it(`at ${BATCH_LIMITS.lines} lines`, async () => {
    const { submitAll, writeAll } = byHand();
    void submitAll(ADA, named(51), { lines: 100, bytes: 1 });
    await turn();
    assert.deepEqual(sizesOf(await writeAll()), [50, 1]);
  });

  it('at 1 MiB, filled to the last byte', async () => {
    const { submitAll, writeAll } = byHand();
    void submitAll(ADA, named(9), { lines: 1, bytes: 262_144 });
    await turn();
    assert.deepEqual(sizesOf(await writeAll()), [4, 4, 1]);
  });

  it('before and after a sale of more than a hundred lines: that goes in one of its own', async () => {
    const { submit, submitAll, writeAll } = byHand();
    void submitAll(ADA, ['a', 'b'], { lines: 100, bytes: 1 });
    void submit(ADA, 'long', { lines: 101, bytes: 1 });
    void submit(ADA, 'longer', { lines: 1_000, bytes: 1 });
    void submitAll(ADA, ['c', 'd']);
    await turn();
    assert.deepEqual(reportsOf(await writeAll()), [['a', 'b'], ['long'], ['longer'], ['c', 'd']]);
  });

  it('after a report that is alone beyond every limit, which is written all the same', async () => {
    const { submit, submitAll, writeAll } = byHand();
    void submit(ADA, 'huge', { lines: 6_000, bytes: 2_097_152 });
    void submitAll(ADA, ['a']);
    await turn();
    assert.deepEqual(reportsOf(await writeAll()), [['huge'], ['a']]);
  });
});

describe('organizations', () => {
  it('never share a batch, and are written side by side', async () => {
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

  it('are not held up by one whose write takes long', async () => {
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

  it(`take turns beyond ${BATCH_LIMITS.writers} writers; none is written twice before each has been once`, async () => {
    const { submitAll, begun } = byHand({ limits: { reports: 1 } });
    const all = [1, 2, 3, 4, 5, 6] as OrganizationId[];
    for (const organizationId of all) void submitAll(organizationId, ['first', 'second', 'third']);
    await turn();
    assert.equal(begun.length, BATCH_LIMITS.writers);
    for (let written = 0; written < begun.length; written += 1) {
      begun[written]?.succeed();
      await turn();
      assert.ok(begun.length - written - 1 <= BATCH_LIMITS.writers, 'no more than the writers');
    }
    const order = begun.map(({ organizationId }) => organizationId);
    assert.deepEqual(order, [...all, ...all, ...all]);
  });

  it('with one writer, one that keeps sending does not shut out another', async () => {
    const { submitAll, begun } = byHand({ limits: { writers: 1, reports: 2 } });
    void submitAll(ADA, named(6, 'a'));
    await turn();
    void submitAll(BOB, ['b']);
    begun[0]?.succeed();
    await turn();
    assert.deepEqual(
      begun.map(({ organizationId }) => organizationId),
      [ADA, ADA],
      'who waited first is next',
    );
    begun[1]?.succeed();
    await turn();
    assert.equal(begun[2]?.organizationId, BOB);
  });
});

describe('a batch that failed', () => {
  it('without harm is written again one by one: a faulty report never fails its neighbours', async () => {
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

  it('alone is not tried again', async () => {
    const { submitAll, begun } = byHand();
    const answers = submitAll(ADA, ['faulty']);
    await turn();
    begun[0]?.fail(new Undone());
    assert.deepEqual(await outcomesOf(answers), ['Undone']);
    assert.equal(begun.length, 1);
  });

  it('with an unknown outcome is not written again: it may be stored', async () => {
    const { submitAll, begun } = byHand();
    const answers = submitAll(ADA, ['a', 'b', 'c']);
    await turn();
    begun[0]?.fail(new Unknown());
    assert.deepEqual(await outcomesOf(answers), ['Unknown', 'Unknown', 'Unknown']);
    await turn();
    assert.equal(begun.length, 1);
  });

  it('leaves what came meanwhile to the next batch', async () => {
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

describe('beside many reports of other kinds', () => {
  /** Longer than the tests take. */
  const FOR_EVER_MS = 600_000;
  const beside = (others: number, limits: BatchingOptions['limits'] = {}) => {
    const kind = byHand({
      underWay: (): number => others + kind.waiting(),
      limits: { gatheringMs: FOR_EVER_MS, ...limits },
    });
    return kind;
  };

  it('a batch begins at once after a pause, and the next when there is company enough', async () => {
    const { submitAll, begun } = beside(BATCH_LIMITS.gatheringBeside, { gathered: 3 });
    const answers = submitAll(ADA, ['a']);
    await turn();
    begun[0]?.succeed();
    await turn();
    answers.push(...submitAll(ADA, ['b', 'c']));
    await turn();
    assert.deepEqual(reportsOf(begun), [['a']], 'though nothing is being written');
    answers.push(...submitAll(ADA, ['d']));
    await turn();
    assert.deepEqual(reportsOf(begun), [['a'], ['b', 'c', 'd']]);
    begun[1]?.succeed();
    assert.deepEqual(await outcomesOf(answers), ['a', 'b', 'c', 'd']);
  });

  it('it begins when it has waited for long enough', async () => {
    const others = BATCH_LIMITS.gatheringBeside;
    const kind = batching<string, string>((_, reports) => Promise.resolve(reports), {
      isHarmless: () => false,
      underWay: (): number => others + kind.waiting(),
      limits: { gatheringMs: 1 },
    });
    for (const report of ['a', 'b', 'c']) assert.equal(await kind.submit(ADA, report, LIGHT), report);
  });

  it('nothing waits beside a few', async () => {
    const { submitAll, begun, writeAll } = beside(BATCH_LIMITS.gatheringBeside - 1);
    for (const report of ['a', 'b']) {
      const answers = submitAll(ADA, [report]);
      await turn();
      await writeAll();
      assert.deepEqual(await outcomesOf(answers), [report]);
    }
    assert.deepEqual(reportsOf(begun), [['a'], ['b']]);
  });

  it('no organization waits for what another one has begun', async () => {
    const { submitAll, writeAll } = beside(BATCH_LIMITS.gatheringBeside);
    for (let n = 0; n < 2 * BATCH_LIMITS.writers; n += 1) {
      const answers = submitAll((10 + n) as OrganizationId, [`of ${n}`]);
      await turn();
      assert.equal((await writeAll()).length, n + 1);
      assert.deepEqual(await outcomesOf(answers), [`of ${n}`]);
    }
  });
});

describe('what waits is bounded', () => {
  it('by reports: one more is turned away at once, until some are written', async () => {
    const { submitAll, begun, waiting } = byHand({ limits: { waitingReports: 3 } });
    const answers = submitAll(ADA, ['a', 'b', 'c']);
    assert.deepEqual(await outcomesOf(submitAll(BOB, ['d'])), ['Overloaded'], 'for all organizations together');
    await turn();
    assert.equal(waiting(), 3, 'what is being written still takes memory');
    assert.deepEqual(await outcomesOf(submitAll(ADA, ['e'])), ['Overloaded']);
    begun[0]?.succeed();
    assert.deepEqual(await outcomesOf(answers), ['a', 'b', 'c']);
    const after = submitAll(ADA, ['f']);
    await turn();
    begun[1]?.succeed();
    assert.deepEqual(await outcomesOf(after), ['f']);
    assert.deepEqual(reportsOf(begun), [['a', 'b', 'c'], ['f']], 'what was turned away is never written');
  });

  it('by bytes: what does not fit is turned away, what does is taken', async () => {
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
    'became one by one, amid an outage': async (begun) => {
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
    'got too few outcomes': async (begun) => {
      begun[0]?.answer([]);
      await turn();
    },
  };
  for (const [way, end] of Object.entries(ways)) {
    it(`and given back to the last byte when reports ${way}`, async () => {
      const limits = { waitingReports: 3, waitingBytes: 300 };
      const { submitAll, begun, waiting, writeAll } = byHand({ limits });
      const answers = outcomesOf(submitAll(ADA, ['a', 'b', 'c']));
      await turn();
      await end(begun);
      await answers;
      assert.equal(waiting(), 0);
      // Exactly as much fits again, and not a byte more.
      const again = outcomesOf(submitAll(ADA, ['d', 'e', 'f']));
      assert.deepEqual(await outcomesOf(submitAll(ADA, ['g'], { lines: 0, bytes: 0 })), ['Overloaded']);
      await turn();
      await writeAll();
      assert.deepEqual(await again, ['d', 'e', 'f']);
      assert.equal(waiting(), 0);
    });
  }
});

describe('drained', () => {
  it('resolves at once where nothing waits', async () => {
    await byHand().drained();
  });

  it('resolves once all that was submitted has been answered, and not before', async () => {
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

  it('is not kept waiting by a batch that failed', async () => {
    const { submitAll, drained, begun } = byHand();
    const answers = outcomesOf(submitAll(ADA, ['a', 'b']));
    await turn();
    begun[0]?.fail(new Unknown());
    await drained();
    assert.deepEqual(await answers, ['Unknown', 'Unknown']);
  });
});
