import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '#app/config.ts';
import { problemCode } from '../../support/replies.ts';
import { type Reply, startService, type TestService } from '../../support/service.ts';
import { openShop } from '../../support/shop.ts';

const VISIT = '/v1/event/site-visited';
const SHOP = 'https://shop.example';
const ONE_A_SECOND = '1';
const DEADLINE_MS = 30_000;

/**
 * Calls `story` with a new publishable key each time, until a call takes less than a second. Returns the result of that
 * call. During a longer call, the limit would allow another request.
 */
async function inOneSecond<Result>(service: TestService, story: (key: string) => Promise<Result>): Promise<Result> {
  for (const deadline = performance.now() + DEADLINE_MS; ;) {
    const body = { kind: 'publishable', label: 'Shop' };
    const made = await service.request('POST', '/v1/api-keys', { key: service.secretKey, body });
    const begun = performance.now();
    const result = await story((made.body as { rawKey: string }).rawKey);
    if (performance.now() - begun < 1_000) return result;
    assert.ok(performance.now() < deadline, 'the machine can do this within a second');
  }
}

/** Reports a visit from `localAddress`, one of this machine's addresses, so that each address is a separate visitor. */
async function from(localAddress: string, url: string, key: string, headers: Record<string, string> = {}) {
  const asking = httpRequest(`${url}${VISIT}`, {
    method: 'POST',
    localAddress,
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
  asking.end('{"collaboratorId": "tracking:nobody"}');
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}

describe('the rate limit of a publishable key', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ RATE_LIMIT_PUBLISHABLE: ONE_A_SECOND, TRUSTED_PROXIES: '' });
  });
  after(() => service.stop());

  const visit = (key: string) =>
    service.request('POST', VISIT, { key, body: { collaboratorId: 'tracking:nobody' }, headers: { origin: SHOP } });
  const limitsIn = ({ headers }: Reply) =>
    ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name));

  it('a publishable key gets a 429 with the policy and Retry-After beyond its limit', async () => {
    const [first, second] = await inOneSecond(service, async (key) => [await visit(key), await visit(key)] as const);
    assert.equal(first.status, 422);
    assert.deepEqual(limitsIn(first), ['"publishable";q=1;w=1', '"publishable";r=0;t=1', null]);
    assert.deepEqual([second.status, problemCode(second)], [429, 'rate-limited']);
    assert.deepEqual(limitsIn(second), ['"publishable";q=1;w=1', '"publishable";r=0;t=1', '1']);
  });

  it('the rate limit headers of a 429 can be read across origins', async () => {
    const [first, second] = await inOneSecond(service, async (key) => [await visit(key), await visit(key)] as const);
    assert.equal(first.headers.get('access-control-expose-headers'), null);
    const { headers } = second;
    assert.equal(headers.get('access-control-allow-origin'), SHOP);
    assert.equal(headers.get('access-control-expose-headers'), 'ratelimit-policy, ratelimit, retry-after');
  });

  it('a rejected visit stores nothing', async () => {
    const body = { name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] };
    await service.request('POST', '/v1/collaborators', { key: service.secretKey, body });
    const key = service.publishableKey;
    const options = { key, body: { collaboratorId: 'tracking:ada' } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.request('POST', VISIT, options)));
    const { rows } = await service.database.query<{ visits: number }>('select count(*) as visits from visits');
    assert.equal(rows[0]?.visits, answers.filter(({ status }) => status === 200).length);
    assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  });

  it('the rate limit applies to each client address separately', async () => {
    const statuses = await inOneSecond(service, async (key) => {
      const seen = [];
      for (const address of ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.2']) {
        seen.push((await from(address, service.url, key)).statusCode);
      }
      return seen;
    });
    assert.deepEqual(statuses, [422, 429, 422, 422, 429]);
  });

  it('the rate limit ignores addresses in headers if no proxy is trusted', async () => {
    const statuses = await inOneSecond(service, async (key) => {
      const seen = [];
      for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
        const headers = { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address };
        seen.push((await from('127.0.0.1', service.url, key, headers)).statusCode);
      }
      return seen;
    });
    assert.deepEqual(statuses, [422, 429, 429]);
  });

  it('secret keys have no rate limit by default', async () => {
    for (let n = 0; n < 5; n += 1) {
      const reply = await service.request('GET', '/v1/organization', { key: service.secretKey });
      assert.deepEqual([reply.status, ...limitsIn(reply)], [200, null, null, null]);
    }
  });

  it('requests without a valid key do not count toward the rate limit', async () => {
    for (let n = 0; n < 3; n += 1) assert.equal((await visit(`pk_live_${'x'.repeat(43)}`)).status, 401);
  });
});

describe('the rate limit with a trusted proxy', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ RATE_LIMIT_PUBLISHABLE: ONE_A_SECOND, TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
  });
  after(() => service.stop());

  it('the rate limit uses the last address in X-Forwarded-For that is not a trusted proxy, or its IPv6 /64', async () => {
    const expected = [
      ['203.0.113.1', 422],
      ['203.0.113.1', 429],
      // Addresses that a visitor put before the address from the proxy are ignored.
      ['198.51.100.9, 203.0.113.1', 429],
      ['203.0.113.1, 10.1.2.3', 429],
      ['203.0.113.2', 422],
      ['2001:db8:1:2::1', 422],
      ['2001:db8:1:2:ffff::2', 429],
      ['2001:db8:1:3::1', 422],
    ] as const;
    const statuses = await inOneSecond(service, async (key) => {
      const seen = [];
      for (const [forwarded] of expected) {
        seen.push((await from('127.0.0.1', service.url, key, { 'x-forwarded-for': forwarded })).statusCode);
      }
      return seen;
    });
    assert.deepEqual(
      expected.map(([forwarded], index) => [forwarded, statuses[index]]),
      expected,
    );
  });

  it('X-Forwarded-For from an address that is not trusted is ignored', async () => {
    const statuses = await inOneSecond(service, async (key) => {
      const seen = [];
      for (const address of ['203.0.113.8', '203.0.113.9']) {
        seen.push((await from('127.0.0.9', service.url, key, { 'x-forwarded-for': address })).statusCode);
      }
      return seen;
    });
    assert.deepEqual(statuses, [422, 429]);
  });

  it('TRUSTED_PROXIES accepts only addresses, ranges and loopback', () => {
    for (const proxies of ['127.0.0.1', '::1,10.0.0.0/8', 'loopback , 2001:db8::/32']) {
      assert.equal(readConfig({ TRUSTED_PROXIES: proxies }).TRUSTED_PROXIES, proxies);
    }
    for (const proxies of ['proxy.internal', '10.0.0.0/33', '127.0.0.1,,::1', '*']) {
      assert.throws(() => readConfig({ TRUSTED_PROXIES: proxies }), /TRUSTED_PROXIES: must be addresses/, proxies);
    }
  });
});

describe('rate limits that differ from the default', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ RATE_LIMIT_SECRET: '3', RATE_LIMIT_PUBLISHABLE: '0' });
    // Visits with unknown referral codes have a separate limit, so the code `nobody` must exist.
    await openShop(service).collaborator('nobody');
  });
  after(() => service.stop());

  it('the limit of a secret key applies to all its calls, and not to another key', async () => {
    const statuses = await inOneSecond(service, async () => {
      const made = await service.request('POST', '/v1/api-keys', { key: service.secretKey, body: { label: 'Other' } });
      assert.equal(made.status, 201, 'the first key has a separate limit');
      const { rawKey: key } = made.body as { rawKey: string };
      const paths = ['/v1/organization', '/v1/programs', '/v1/programs', '/v1/collaborators', '/v1/events'];
      return Promise.all(paths.map(async (path) => (await service.request('GET', path, { key })).status));
    });
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [200, 200, 200, 429, 429],
    );
  });

  it('publishable keys have no rate limit if RATE_LIMIT_PUBLISHABLE is 0', async () => {
    const visits = Array.from({ length: 100 }, () => from('127.0.0.1', service.url, service.publishableKey));
    assert.deepEqual(new Set((await Promise.all(visits)).map(({ statusCode }) => statusCode)), new Set([200]));
  });
});
