import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkOf, rateLimits } from '#platform/http/rate-limits.ts';

const keyOf = (kind: 'secret' | 'publishable', id = 1) => ({ kind, caller: String(id) });
const SECRET = keyOf('secret');
const PUBLISHABLE = keyOf('publishable');
const ADDRESS = '203.0.113.7';

/** Returns rate limits, and their clock in milliseconds, which the test advances. */
function limitsAt(limits: { secret: number; publishable: number }) {
  const clock = { now: 1_000 };
  return { take: rateLimits(limits, () => clock.now), clock };
}

describe('rateLimits: the limit of requests per second', () => {
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

  it('returns headers with the policy, the remaining requests and the time until a retry', () => {
    const { take } = limitsAt({ secret: 2, publishable: 0 });
    const policy = { 'ratelimit-policy': '"secret";q=2;w=1' };
    assert.deepEqual(take(SECRET, ADDRESS)?.headers, { ...policy, ratelimit: '"secret";r=1;t=1' });
    assert.deepEqual(take(SECRET, ADDRESS)?.headers, { ...policy, ratelimit: '"secret";r=0;t=1' });
    assert.deepEqual(take(SECRET, ADDRESS)?.headers, { ...policy, ratelimit: '"secret";r=0;t=1', 'retry-after': '1' });
  });

  it('returns the same headers with a clock that has fractions of a millisecond', () => {
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

  it('allows about as many requests per second as the limit says during a minute of flooding', () => {
    for (const stepMs of [7, 100, 999, 1_000, 1_001]) {
      const { take, clock } = limitsAt({ secret: 20, publishable: 0 });
      let allowed = 0;
      const end = clock.now + 60_000;
      for (; clock.now < end; clock.now += stepMs) {
        for (let n = 0; n < 50; n += 1) if (take(SECRET, ADDRESS)?.allowed === true) allowed += 1;
      }
      assert.ok(allowed >= 20 * 58 && allowed <= 20 * 61, `${allowed} in steps of ${stepMs} ms`);
    }
  });

  it('remembers 100,000 addresses, then resets all counters', () => {
    const { take } = limitsAt({ secret: 0, publishable: 1 });
    const isAllowed = (address: string) => take(PUBLISHABLE, address)?.allowed;
    assert.deepEqual([isAllowed(ADDRESS), isAllowed(ADDRESS)], [true, false]);
    for (let n = 0; n < 99_999; n += 1) isAllowed(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    assert.equal(isAllowed(ADDRESS), false, 'the address is still remembered');
    isAllowed('10.255.255.255');
    assert.equal(isAllowed(ADDRESS), true);
  });

  it('counts a secret key’s requests over all addresses, and a publishable key’s requests per address', () => {
    const { take } = limitsAt({ secret: 1, publishable: 1 });
    const allowed = (key: typeof SECRET, address: string) => take(key, address)?.allowed;
    assert.deepEqual([allowed(SECRET, ADDRESS), allowed(SECRET, '198.51.100.1')], [true, false]);
    assert.equal(allowed(keyOf('secret', 2), ADDRESS), true);
    assert.deepEqual([allowed(PUBLISHABLE, ADDRESS), allowed(PUBLISHABLE, '198.51.100.1')], [true, true]);
    assert.equal(allowed(PUBLISHABLE, ADDRESS), false);
    assert.equal(allowed(keyOf('publishable', 2), ADDRESS), true);
  });
});

describe('networkOf: the network of a client address', () => {
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
