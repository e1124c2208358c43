import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { z } from 'zod';
import { id, object, text } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { problem } from '#core/contract/problem.ts';
import { MAX_ANSWER_MS } from '#platform/http/answer-limit.ts';
import { callLimits } from '#platform/http/call-limits.ts';
import { exportLimits } from '#platform/http/export-limits.ts';
import { answer } from '#platform/http/handler.ts';
import { createServer, type ServerOptions } from '#platform/http/server.ts';
import { openDatabase } from '#platform/postgres/database.ts';
import { servicePages } from '#app/pages/service-pages.ts';
import { answerLongCsv } from '#platform/http/streams.ts';
import { Overloaded } from '#core/failures.ts';
import type { Auth } from '#core/auth.ts';

const common = {
  tag: 'Mugs',
  summary: 'A mug',
  description: 'A mug.',
  scope: 'resources:write',
  success: { description: 'A mug.' },
} as const;

const operations = {
  getMug: operation({
    ...common,
    method: 'GET',
    path: '/v1/mugs/{id}',
    params: z.object({ id: id({ description: 'The mug.' }) }),
  }),
  fillMug: operation({ ...common, method: 'POST', path: '/v1/mugs/{id}/fill' }),
  printMugs: operation({
    ...common,
    method: 'GET',
    path: '/v1/mugs/print',
    success: { description: 'All mugs.', csv: true },
  }),
  listMugs: operation({
    ...common,
    method: 'GET',
    path: '/v1/mugs',
    success: { description: 'The mugs.', alsoCsv: true },
  }),
  getLabel: operation({ ...common, method: 'GET', path: '/v1/label', versioned: true }),
  redeemMug: operation({ ...common, method: 'POST', path: '/v1/mugs/redeem', open: true, repeats: 'token' }),
  makeMug: operation({
    ...common,
    method: 'POST',
    path: '/v1/mugs',
    requestServiceHeaders: { OID: { description: 'Whose.', schema: { type: 'string' } } },
    body: object({ name: text(1, 20, { description: 'Its name.' }) }),
  }),
};
type Options = ServerOptions<typeof operations>;

const auth = { kind: 'secret', scopes: ['resources:write'], tier: 'lite', origins: [] } as unknown as Auth;
const headers = { authorization: 'Bearer x' };

/** A pool that never connects to a database, because no handler in this file uses it. */
const database = openDatabase('postgres://127.0.0.1/unused');

type Given = Partial<Omit<Options, 'handlers'>> & { readonly handlers?: Partial<Options['handlers']> };

function pagesWith(readiness: () => Promise<Record<string, boolean>>): Options['pages'] {
  return servicePages({
    readiness,
    metrics: { contentType: 'text/plain', metrics: async () => 'mugs 1\n' },
    openapi: () => ({ paths: {} }) as never,
  });
}

function serverWith(options: Given) {
  const lines: string[] = [];
  const server = createServer({
    operations,
    database,
    authentication: { recognize: () => auth },
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    pages: pagesWith(async () => ({ database: true })),
    exports: exportLimits({ atOnce: 1 }),
    ...options,
    handlers: {
      getMug: async ({ params }) => answer(200, { id: params.id, amount: 9007199254740991n, at: new Date(0) }),
      fillMug: async () => answer(200),
      printMugs: async () => answer(200),
      listMugs: async () => answer(200),
      redeemMug: async () => answer(200),
      getLabel: async ({ header }) => answer(200, { text: header('X-Text') ?? 'Mug' }),
      makeMug: async ({ body, serviceHeader }) => answer(201, { ...body, oid: serviceHeader('OID') ?? null }),
      ...options.handlers,
    },
  });
  return { server, lines };
}

describe('the HTTP server', () => {
  it('writes bigints as integers, and times as RFC 3339', async () => {
    const reply = await serverWith({}).server.inject({ url: '/v1/mugs/7', headers });
    assert.equal(reply.body, '{"id":7,"amount":9007199254740991,"at":"1970-01-01T00:00:00.000Z"}');
    assert.equal(reply.headers['content-type'], 'application/json');
  });

  it('limits the time of a read, but not of a call that uses up a single-use token', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const statusAfterLimit = async (call: { readonly method: 'GET' | 'POST'; readonly url: string }) => {
      const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const late = async () => {
        begun.resolve();
        await done.promise;
        return answer(200);
      };
      const reply = serverWith({ handlers: { getLabel: late, redeemMug: late } }).server.inject({ ...call, headers });
      await begun.promise;
      test.mock.timers.tick(MAX_ANSWER_MS);
      done.resolve();
      return (await reply).statusCode;
    };
    assert.equal(await statusAfterLimit({ method: 'GET', url: '/v1/label' }), 503);
    assert.equal(await statusAfterLimit({ method: 'POST', url: '/v1/mugs/redeem' }), 200);
  });

  for (const [client, limits, isReading] of [
    ['does not read its export', { stallMs: 20 }, false],
    ['has not read its whole export in time', { totalMs: 50 }, true],
  ] as const)
    it(`closes the connection of a client that ${client}`, async () => {
      let end = (): void => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      const mugs = (async function* () {
        for (;;) yield [['Mug'.repeat(10_000)]];
      })();
      const { server } = serverWith({
        exports: exportLimits({ atOnce: 1, ...limits }),
        handlers: { printMugs: async () => answerLongCsv('mugs.csv', ['name'], mugs, async () => end()) },
      });
      const url = await server.listen({ port: 0, host: '127.0.0.1' });
      const request = get(`${url}/v1/mugs/print`, { agent: false, headers }, (reply) => {
        reply.on('error', () => {});
        if (isReading) reply.resume();
      });
      // Ignore the error, because the server closes the connection.
      request.on('error', () => {});
      await ended;
      await server.close();
    });

  it('responds to reads while the client of an export is slow', async () => {
    const mugs = (async function* () {
      for (;;) yield [['Mug'.repeat(10_000)]];
    })();
    const { server } = serverWith({
      calls: callLimits({ connections: 1, waitMs: 1 }),
      handlers: { printMugs: async () => answerLongCsv('mugs.csv', ['name'], mugs, async () => {}) },
    });
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const request = get(`${url}/v1/mugs/print`, { agent: false, headers }, resolve);
    await promise;
    assert.equal((await fetch(`${url}/v1/mugs/7`, { headers })).status, 200);
    request.on('error', () => {});
    request.destroy();
    await server.close();
  });

  it('responds to HEAD as to GET, without the body', async () => {
    const { server } = serverWith({});
    const reply = await server.inject({ method: 'HEAD', url: '/v1/mugs/7', headers });
    assert.deepEqual([reply.statusCode, reply.body], [200, '']);
  });

  it('responds to HEAD of an export without reading its rows', async () => {
    let read = 0;
    const mugs = (async function* () {
      for (;;) {
        read += 1;
        yield [['Mug']];
      }
    })();
    const { server } = serverWith({
      handlers: { printMugs: async () => answerLongCsv('mugs.csv', ['name'], mugs, async () => {}) },
    });
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const reply = await fetch(`${url}/v1/mugs/print`, { method: 'HEAD', headers });
    assert.deepEqual([reply.status, read], [200, 0]);
    await server.close();
  });

  it('responds to HEAD of a list as CSV without waiting for exports', async () => {
    const exports = exportLimits({ atOnce: 1, waitMs: 1 });
    await exports.begin(auth, new AbortController().signal);
    const { server } = serverWith({ exports });
    const statusOf = async (method: 'GET' | 'HEAD') =>
      (await server.inject({ method, url: '/v1/mugs', headers: { ...headers, accept: 'text/csv' } })).statusCode;
    assert.deepEqual([await statusOf('HEAD'), await statusOf('GET')], [200, 429]);
  });

  it('accepts a call that needs no body, and sends Content-Length: 0 with an empty response', async () => {
    const reply = await serverWith({}).server.inject({ method: 'POST', url: '/v1/mugs/7/fill', headers });
    assert.deepEqual([reply.statusCode, reply.body, reply.headers['content-length']], [200, '', '0']);
    assert.equal(reply.headers['content-type'], undefined);
  });

  it('reads and writes its own headers with the configured prefix', async () => {
    const handlers = { makeMug: async () => answer(200, undefined, { serviceHeaders: { OID: '5' } }) };
    const payload = { name: 'Blue' };
    const reply = await serverWith({ headerPrefixes: ['X-Mug'], handlers }).server.inject({
      method: 'POST',
      url: '/v1/mugs',
      headers,
      payload,
    });
    assert.equal(reply.headers['x-mug-oid'], '5');
    assert.equal(reply.headers['access-control-expose-headers'], 'X-Mug-OID');
    const read = await serverWith({ headerPrefixes: ['X-Mug'] }).server.inject({
      method: 'POST',
      url: '/v1/mugs',
      headers: { ...headers, 'x-mug-oid': '9', 'x-service-oid': '8' },
      payload,
    });
    assert.deepEqual(read.json(), { name: 'Blue', oid: '9' });
  });

  it('passes changing calls to answerChange, and other calls to their handlers', async () => {
    const changes: unknown[] = [];
    const { server } = serverWith({
      answerChange: async (id, { params }, bytes) => {
        changes.push([id, params, bytes.toString()]);
        return answer(200, 'changed');
      },
    });
    const payload = { name: 'Blue' };
    const made = await server.inject({ method: 'POST', url: '/v1/mugs', headers, payload });
    const filled = await server.inject({ method: 'POST', url: '/v1/mugs/7/fill', headers });
    const read = await server.inject({ url: '/v1/mugs/7', headers });
    const faulty = await server.inject({ method: 'POST', url: '/v1/mugs', headers, payload: {} });
    assert.deepEqual([made.body, filled.body, read.json<{ id: number }>().id], ['"changed"', '"changed"', 7]);
    assert.equal(faulty.statusCode, 422);
    assert.deepEqual(changes, [
      ['makeMug', undefined, '{"name":"Blue"}'],
      ['fillMug', undefined, ''],
    ]);
  });

  it('adds an ETag to versioned resources, and returns 304 to a request with the current ETag', async () => {
    const { server } = serverWith({});
    const get = (more: Record<string, string> = {}) =>
      server.inject({ url: '/v1/label', headers: { ...headers, ...more } });
    const [first, same, other] = [await get(), await get(), await get({ 'x-text': 'Cup' })];
    assert.match(String(first.headers['etag']), /^"[\w-]{22}"$/);
    assert.equal(same.headers['etag'], first.headers['etag']);
    assert.notEqual(other.headers['etag'], first.headers['etag']);
    const known = await get({ 'if-none-match': String(first.headers['etag']) });
    assert.deepEqual([known.statusCode, known.body, known.headers['etag']], [304, '', first.headers['etag']]);
    assert.equal((await server.inject({ url: '/v1/mugs/7', headers })).headers['etag'], undefined);
  });

  it('serves every path below its base path, including service pages', async () => {
    const { server } = serverWith({ basePath: '/whence' });
    assert.equal((await server.inject({ url: '/whence/v1/mugs/7', headers })).statusCode, 200);
    for (const page of ['/healthz', '/readyz', '/metrics', '/openapi.json']) {
      assert.equal((await server.inject(`/whence${page}`)).statusCode, 200, page);
      assert.equal((await server.inject(page)).statusCode, 404, page);
      assert.equal((await server.inject({ method: 'POST', url: `/whence${page}` })).statusCode, 405, page);
    }
    assert.equal((await server.inject({ url: '/v1/mugs/7', headers })).statusCode, 404);
    assert.equal((await server.inject({ method: 'PUT', url: '/whence/v1/mugs/7' })).headers['allow'], 'GET, HEAD');
  });

  it('returns 500 without details for an internal error, and logs it', async () => {
    const handlers = { getMug: () => Promise.reject(new TypeError('secret detail at /srv/mugs.ts')) };
    const { server, lines } = serverWith({ handlers });
    const reply = await server.inject({ url: '/v1/mugs/7', headers });
    assert.equal(reply.statusCode, 500);
    assert.equal(reply.json<{ code: string }>().code, 'internal');
    assert.doesNotMatch(reply.body, /secret|mugs\.ts|TypeError/);
    assert.ok(lines.some((line) => line.includes('secret detail') && line.includes('getMug')));
  });

  it('returns 503 with Retry-After if the database is down or the service is overloaded', async () => {
    const down = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    for (const error of [down, new Overloaded('full')]) {
      const { server } = serverWith({ handlers: { getMug: () => Promise.reject(error) } });
      const reply = await server.inject({ url: '/v1/mugs/7', headers });
      assert.deepEqual([reply.statusCode, reply.headers['retry-after']], [503, '1']);
      assert.equal(reply.json<{ code: string }>().code, 'unavailable');
    }
    const { server } = serverWith({ authentication: { recognize: () => Promise.reject(down) } });
    assert.equal((await server.inject({ url: '/v1/mugs/7', headers })).statusCode, 503);
  });

  it('reports not ready if a dependency is not ready', async () => {
    const { server } = serverWith({ pages: pagesWith(async () => ({ database: true, pipeline: false })) });
    const reply = await server.inject('/readyz');
    assert.equal(reply.statusCode, 503);
    assert.deepEqual(reply.json<{ checks: unknown }>().checks, { database: true, pipeline: false });
  });

  it('adds the additional members of a problem to the error response', async () => {
    const sent = { source: 'shop', externalId: 7 };
    const handlers = { getMug: async () => problem('sale-not-found', 'No such sale.', { members: sent }) };
    const reply = await serverWith({ handlers }).server.inject({ url: '/v1/mugs/7', headers });
    assert.equal(reply.headers['content-type'], 'application/problem+json');
    assert.deepEqual(reply.json(), {
      source: 'shop',
      externalId: 7,
      type: 'urn:whence:problem:sale-not-found',
      title: 'No sale was reported under this source and externalId',
      status: 404,
      detail: 'No such sale.',
      code: 'sale-not-found',
      error: { message: 'No such sale.', code: 'sale-not-found', data: {} },
    });
  });

  it('serves openapi.json without white space', async () => {
    const { body } = await serverWith({}).server.inject('/openapi.json');
    assert.equal(body, JSON.stringify(JSON.parse(body)));
  });

  it('sends nosniff and a strict Content-Security-Policy with every response, and also HSTS if isSecure is set', async () => {
    const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    const asked = ['/v1/mugs/7', '/v1/mugs/%zz', '/nothing', '/healthz', '/metrics', '/openapi.json', '/llms.txt'];
    for (const isSecure of [false, true]) {
      const { server } = serverWith({ isSecure });
      for (const url of asked) {
        const reply = await server.inject({ url, headers });
        assert.equal(reply.headers['x-content-type-options'], 'nosniff', url);
        assert.equal(reply.headers['content-security-policy'], policy, url);
        assert.equal(reply.headers['strict-transport-security'], isSecure ? 'max-age=31536000' : undefined, url);
      }
      const fill = await server.inject({ method: 'POST', url: '/v1/mugs/7/fill', headers });
      assert.equal(fill.headers['content-security-policy'], policy);
    }
  });

  it('logs no key and no query string', async () => {
    const { server, lines } = serverWith({});
    await server.inject({
      url: '/v1/mugs/7?email=ada@example.com',
      headers: { authorization: 'Bearer sk_live_secret' },
    });
    assert.ok(lines.length > 0);
    assert.ok(lines.every((line) => !line.includes('secret') && !line.includes('ada@')));
  });

  it('logs rejected calls with a truncated address, and with the key if the key is known', async () => {
    const { server, lines } = serverWith({
      authentication: {
        recognize: (rawKey) => (rawKey === 'x' ? { ...auth, scopes: [], author: 'key 3' } : undefined),
      },
    });
    const refused = () =>
      lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'refused');
    const ask = (remoteAddress: string, key: string) =>
      server.inject({ url: '/v1/mugs/7', remoteAddress, headers: { authorization: `Bearer ${key}` } });
    await ask('203.0.113.7', 'nobodys');
    await ask('2001:db8:a:b:c::7', 'x');
    const [unknown, may] = refused();
    assert.deepEqual(
      [unknown?.['operation'], unknown?.['code'], unknown?.['from'], unknown?.['by']],
      ['getMug', 'unauthenticated', '203.0.113.0/24', undefined],
    );
    assert.deepEqual([may?.['code'], may?.['from'], may?.['by']], ['scope-required', '2001:db8:a::/48', 'key 3']);
    assert.ok(lines.every((line) => !line.includes('nobodys') && !line.includes('113.7')));
  });
});
