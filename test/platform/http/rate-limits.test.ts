import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  type Exchange,
  networkOf,
  type OtherUsage,
  type RateLimits,
  rateLimits,
  type Usage,
} from '#platform/http/rate-limits.ts';
import type { OrganizationId } from '#core/ids.ts';
import { diceOf, SEED } from '../../support/random.ts';

const keyOf = (kind: 'secret' | 'publishable', id = 1) => ({
  kind,
  caller: String(id),
  organizationId: 1 as OrganizationId,
});
const SECRET = keyOf('secret');
const PUBLISHABLE = keyOf('publishable');
const ADDRESS = '203.0.113.7';
const HASH_KEY = Buffer.alloc(32, 7);

/** A stand-in for the table: each process writes its counters and reads those of the others. */
function sharedTable(): { exchange: Exchange; rows: Map<string, readonly Usage[]> } {
  const rows = new Map<string, readonly Usage[]>();
  const exchange: Exchange = async (self, mine) => {
    rows.set(self, mine);
    const others: OtherUsage[] = [...rows]
      .filter(([process]) => process !== self)
      .flatMap(([process, said]) => said.map((usage) => ({ ...usage, process })));
    return others.filter(({ bucket }) => mine.some((each) => each.bucket.equals(bucket)));
  };
  return { exchange, rows };
}

/** Returns limits with a clock that the test advances. */
function limitsAt(limits: { secret: number; publishable: number }, exchange: Exchange = async () => []) {
  const clock = { now: 1_000 };
  const made = rateLimits({ limits, hashKey: HASH_KEY, exchange, now: () => clock.now });
  return { ...made, clock };
}

describe('rateLimits', () => {
  it('allows every request and sends no headers with a limit of 0', () => {
    const { take } = limitsAt({ secret: 0, publishable: 0 });
    for (let n = 0; n < 1_000; n += 1) assert.equal(take(SECRET, ADDRESS), undefined);
    assert.equal(take(PUBLISHABLE, ADDRESS), undefined);
  });

  it('allows a burst up to the limit, then requests evenly over each second', () => {
    for (const limit of [1, 3, 7, 50, 100_000]) {
      const { take, clock } = limitsAt({ secret: limit, publishable: 0 });
      for (let n = 0; n < limit; n += 1) assert.equal(take(SECRET, ADDRESS)?.allowed, true, `${n + 1} of ${limit}`);
      assert.equal(take(SECRET, ADDRESS)?.allowed, false);
      clock.now += 1_000 / limit - 0.005;
      assert.equal(take(SECRET, ADDRESS)?.allowed, false);
      clock.now += 0.01;
      assert.equal(take(SECRET, ADDRESS)?.allowed, true);
      assert.equal(take(SECRET, ADDRESS)?.allowed, false);
      clock.now += 1_000;
      for (let n = 0; n < limit; n += 1)
        assert.equal(take(SECRET, ADDRESS)?.allowed, true, `again ${n + 1} of ${limit}`);
    }
  });

  it('returns headers with the policy, the remaining requests and when to retry', () => {
    const { take } = limitsAt({ secret: 2, publishable: 0 });
    const policy = { 'ratelimit-policy': '"secret";q=2;w=1' };
    assert.deepEqual(take(SECRET, ADDRESS)?.headers, { ...policy, ratelimit: '"secret";r=1;t=1' });
    assert.deepEqual(take(SECRET, ADDRESS)?.headers, { ...policy, ratelimit: '"secret";r=0;t=1' });
    assert.deepEqual(take(SECRET, ADDRESS)?.headers, { ...policy, ratelimit: '"secret";r=0;t=1', 'retry-after': '1' });
  });

  it('returns correct headers with a clock that counts fractions', () => {
    for (let n = 0; n < 1_000; n += 1) {
      const { take, clock } = limitsAt({ secret: 1, publishable: 0 });
      clock.now = 1e6 * (n + 1) * Math.SQRT2;
      assert.equal(take(SECRET, ADDRESS)?.headers['ratelimit'], '"secret";r=0;t=1', String(clock.now));
      assert.equal(take(SECRET, ADDRESS)?.headers['retry-after'], '1', String(clock.now));
      clock.now += 1_000;
      assert.equal(take(SECRET, ADDRESS)?.allowed, true, String(clock.now));
    }
  });

  it('does not count rejected requests', () => {
    const { take, clock } = limitsAt({ secret: 10, publishable: 0 });
    for (let n = 0; n < 1_000; n += 1) take(SECRET, ADDRESS);
    clock.now += 1_000;
    assert.equal(take(SECRET, ADDRESS)?.headers['ratelimit'], '"secret";r=9;t=1');
  });

  it('remembers 100,000 addresses, then resets all counters', () => {
    const { take } = limitsAt({ secret: 0, publishable: 1 });
    const isAllowed = (address: string) => take(PUBLISHABLE, address)?.allowed;
    assert.deepEqual([isAllowed(ADDRESS), isAllowed(ADDRESS)], [true, false]);
    for (let n = 0; n < 99_999; n += 1) isAllowed(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    assert.equal(isAllowed(ADDRESS), false, 'as many are remembered');
    isAllowed('10.255.255.255');
    assert.equal(isAllowed(ADDRESS), true);
  });

  it('counts a secret key over all addresses, and a publishable key per address', () => {
    const { take } = limitsAt({ secret: 1, publishable: 1 });
    const allowed = (key: typeof SECRET, address: string) => take(key, address)?.allowed;
    assert.deepEqual([allowed(SECRET, ADDRESS), allowed(SECRET, '198.51.100.1')], [true, false]);
    assert.equal(allowed(keyOf('secret', 2), ADDRESS), true);
    assert.deepEqual([allowed(PUBLISHABLE, ADDRESS), allowed(PUBLISHABLE, '198.51.100.1')], [true, true]);
    assert.equal(allowed(PUBLISHABLE, ADDRESS), false);
    assert.equal(allowed(keyOf('publishable', 2), ADDRESS), true);
  });
});

describe('networkOf', () => {
  it('returns an IPv4 address itself, and the first 64 bits of an IPv6 address', () => {
    for (const [address, network] of [
      ['203.0.113.7', '203.0.113.7'],
      ['203.0.113.7:51234', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::FFFF:203.0.113.7', '203.0.113.7'],
      ['2001:db8:1:2::1', '2001:db8:1:2'],
      ['2001:0DB8:0001:0002:ffff:1:2:3', '2001:db8:1:2'],
      ['[2001:db8:1:2::9]:443', '2001:db8:1:2'],
      ['[2001:db8:1:2::9]', '2001:db8:1:2'],
      ['2001:db8:1::1', '2001:db8:1:0'],
      ['2001:db8::', '2001:db8:0:0'],
      ['::1', '0:0:0:0'],
      ['::', '0:0:0:0'],
      ['::5:4:3:2:1', '0:0:0:5'],
      ['fe80::1%eth0', 'fe80:0:0:0'],
    ] as const) {
      assert.equal(networkOf(address), network, address);
    }
  });

  it("returns 'unknown' for text that is not an address", () => {
    for (const text of [
      '',
      'unknown',
      '256.0.113.7',
      '256.0.113.7:80',
      '[203.0.113.7]',
      'x'.repeat(16),
      'x'.repeat(10_000),
      'a:b',
      ':',
      '::1::',
      '1:2:3',
      '[::1',
      '2001:db8::g',
      '1.2:3',
    ]) {
      assert.equal(networkOf(text), 'unknown', text);
    }
  });
});

describe('processes that share rate limits', () => {
  it('processes report only busy counters, and withdraw them when idle', async () => {
    const calls: (readonly Usage[])[] = [];
    const { take, level, stop, clock } = limitsAt({ secret: 20, publishable: 0 }, async (_self, mine) => {
      calls.push(mine);
      return [];
    });
    await level();
    take(SECRET, ADDRESS);
    await level();
    assert.equal(calls.length, 0, 'one of twenty is not busy');
    for (let n = 0; n < 5; n += 1) take(SECRET, ADDRESS);
    await level();
    assert.deepEqual(
      calls.map((mine) => mine.map(({ taken, lately }) => [taken, lately])),
      [[[6, 5]]],
    );
    assert.ok(!JSON.stringify(calls).includes(ADDRESS));
    clock.now += 1_000;
    await level();
    assert.equal(calls[1]?.length, 0);
    await level();
    await stop();
    assert.equal(calls.length, 2);
  });

  it('processes name counters by a keyed hash, which cannot be guessed without the key', async () => {
    const named = async (hashKey: Buffer): Promise<string | undefined> => {
      const told: Usage[] = [];
      const exchange: Exchange = async (_self, mine) => {
        told.push(...mine);
        return [];
      };
      const { take, level, stop } = rateLimits({
        limits: { secret: 0, publishable: 2 },
        hashKey,
        exchange,
        now: () => 0,
      });
      take(PUBLISHABLE, ADDRESS);
      await level();
      await stop();
      return told[0]?.bucket.toString('hex');
    };
    assert.equal(
      await named(HASH_KEY),
      await named(Buffer.from(HASH_KEY)),
      'processes with the same key count together',
    );
    assert.notEqual(await named(HASH_KEY), await named(Buffer.alloc(32, 8)));
    const bare = hash('sha256', `${PUBLISHABLE.caller} ${ADDRESS}`).slice(0, 32);
    assert.equal(bare.length, (await named(HASH_KEY))?.length);
    assert.notEqual(await named(HASH_KEY), bare);
  });

  it('processes continue with their own counts if the table is unavailable', async () => {
    const failures: unknown[] = [];
    const down = new Error('down');
    const { take, level, stop } = rateLimits({
      limits: { secret: 2, publishable: 0 },
      hashKey: HASH_KEY,
      exchange: () => Promise.reject(down),
      onFailure: (error) => failures.push(error),
      now: () => 0,
    });
    assert.equal(take(SECRET, ADDRESS)?.allowed, true);
    await level();
    assert.deepEqual([take(SECRET, ADDRESS)?.allowed, take(SECRET, ADDRESS)?.allowed], [true, false]);
    await stop();
    assert.deepEqual(new Set(failures), new Set([down]));
  });

  it('processes add each other’s requests, for at most a minute', async () => {
    const table = sharedTable();
    const [here, there] = [
      limitsAt({ secret: 10, publishable: 0 }, table.exchange),
      limitsAt({ secret: 10, publishable: 0 }, table.exchange),
    ];
    for (const process of [here, there]) for (let n = 0; n < 10; n += 1) process.take(SECRET, ADDRESS);
    await there.level();
    await here.level();
    assert.deepEqual(here.take(SECRET, ADDRESS)?.headers, {
      'ratelimit-policy': '"secret";q=10;w=1',
      ratelimit: '"secret";r=0;t=2',
      'retry-after': '2',
    });
    const flooded = limitsAt({ secret: 1, publishable: 0 }, async (_self, mine) =>
      mine.map((usage) => ({ ...usage, process: 'another', taken: 1e9, lately: 1e9 })),
    );
    flooded.take(SECRET, ADDRESS);
    await flooded.level();
    assert.equal(flooded.take(SECRET, ADDRESS)?.headers['retry-after'], '61');
  });

  it('processes allow the full limit after the Retry-After that they return', async () => {
    for (let debt = 1; debt <= 100; debt += 1) {
      const { take, level, clock } = limitsAt({ secret: 10, publishable: 0 }, async (_self, mine) =>
        mine.map((usage) => ({ ...usage, process: 'another', taken: debt, lately: debt })),
      );
      for (let n = 0; n < 10; n += 1) take(SECRET, ADDRESS);
      await level();
      const refused = take(SECRET, ADDRESS);
      const waitS = Number(refused?.headers['retry-after']);
      assert.equal(refused?.headers['ratelimit'], `"secret";r=0;t=${waitS}`);
      clock.now += waitS * 1_000;
      for (let n = 0; n < 10; n += 1) assert.equal(take(SECRET, ADDRESS)?.allowed, true, `${n + 1} after ${debt}`);
    }
  });

  const LIMIT = 20;
  const STEP_MS = 10;
  const SECONDS = 60;

  type Load = (process: number, step: number) => number;

  /**
   * Simulates a minute of `count` processes that synchronize at different times. Returns the allowed requests per step
   * and the number of rejected ones.
   */
  async function run(count: number, load: Load): Promise<{ taken: number[]; refused: number }> {
    const table = sharedTable();
    const processes = Array.from({ length: count }, () => limitsAt({ secret: LIMIT, publishable: 0 }, table.exchange));
    const taken: number[] = [];
    let refused = 0;
    for (let step = 0; step < (SECONDS * 1_000) / STEP_MS; step += 1) {
      let now = 0;
      for (const [index, process] of processes.entries()) {
        process.clock.now = step * STEP_MS;
        if ((step + index * 37) % 100 === 0) await process.level();
        for (let n = 0; n < load(index, step); n += 1) {
          if (process.take(SECRET, ADDRESS)?.allowed === true) now += 1;
          else refused += 1;
        }
      }
      taken.push(now);
    }
    await Promise.all(processes.map(({ stop }: Pick<RateLimits, 'stop'>) => stop()));
    return { taken, refused };
  }

  /** Returns the largest excess of any time span over the limit's rate, plus 10% per additional process. */
  function mostBeyond(taken: readonly number[], count: number): number {
    const perStep = (LIMIT * (1 + (count - 1) / 10) * STEP_MS) / 1_000;
    let [sum, lowest, most] = [0, 0, 0];
    for (const now of taken) {
      sum += now - perStep;
      most = Math.max(most, sum - lowest);
      lowest = Math.min(lowest, sum);
    }
    return most;
  }
  const total = (taken: readonly number[]) => taken.reduce((sum, now) => sum + now, 0);

  const dice = diceOf(SEED);
  const LOADS: Readonly<Record<string, Load>> = {
    'all of them flooded': () => 3,
    'one flooded, the others asked now and then': (process, step) => (process === 0 ? 3 : Number(step % 20 === 0)),
    'one after the other flooded': (process, step) => (Math.floor(step / 150) % 4 === process ? 3 : 0),
    'all flooded for a second of every five': (_process, step) => (step % 500 < 100 ? 3 : 0),
    'asked at random': (process, step) => (dice.chance(0.3 / (process + 1 + (step % 300) / 100)) ? dice.roll(6) : 0),
  };

  for (const [name, load] of Object.entries(LOADS)) {
    it(`processes allow about the limit in total, with ${name} (TEST_SEED=${SEED})`, async () => {
      for (const count of [1, 2, 3, 5]) {
        const { taken } = await run(count, load);
        const bound = LIMIT * (1 + 3 * (count - 1));
        const beyond = mostBeyond(taken, count);
        assert.ok(beyond <= bound, `${count} processes: ${beyond} beyond, at most ${bound}`);
      }
    });
  }

  it('processes allow at least 95% of the limit if all of them are flooded', async () => {
    for (const count of [1, 2, 3, 5]) {
      const { taken } = await run(count, () => 3);
      const rate = total(taken) / SECONDS;
      assert.ok(rate >= LIMIT * 0.95 && rate <= LIMIT * 1.2, `${count} processes: ${rate} a second`);
    }
  });

  it('processes reject nothing while their total load is below the limit', async () => {
    for (const count of [1, 2, 4]) {
      // 16 requests a second with a limit of 20: first evenly over the processes, then seven of eight on the first process.
      const { refused } = await run(count, (process, step) => Number(step % (6 * count) === process));
      assert.equal(refused, 0, `${count} processes, evenly`);
      const uneven = await run(count, (process, step) =>
        step % 6 === 0 ? Number(process === (step % 48 === 0 ? count - 1 : 0)) : 0,
      );
      assert.equal(uneven.refused, 0, `${count} processes, unevenly`);
    }
  });
});
