import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PreconditionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  Whence,
  WhenceError,
  type WhenceOptions,
} from '#sdk/whence.ts';
import { servedDocument } from '../../support/documented-answers.ts';
import { startService, type TestService } from '../../support/service.ts';
import { hangUp, json, neverAnswer, problem, startScripted } from './scripted-server.ts';
import { makeWorld } from './world.ts';

const KEY = 'sk_live_a-key-that-nobody-has-ever-given-out-0';

function client(baseUrl: string, options: Partial<WhenceOptions> = {}): Whence {
  return new Whence({ baseUrl, apiKey: KEY, ...options });
}

async function errorOf(call: PromiseLike<unknown>): Promise<WhenceError> {
  const [outcome] = await Promise.allSettled([call]);
  assert.ok(outcome?.status === 'rejected', 'the call fails');
  assert.ok(outcome.reason instanceof WhenceError, String(outcome.reason));
  return outcome.reason;
}

describe('the SDK against the service', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('report.visit, report.sale and report.refund return the opportunity number', async () => {
    const { whence } = await makeWorld(service, ['whence', 'collaboratorId']);
    const opportunity = await whence.report.visit({ collaboratorId: 'tracking:ada' });
    assert.ok(Number.isSafeInteger(opportunity));
    assert.equal(await whence.report.visit({ collaboratorId: 'tracking:ada' }, { opportunity }), opportunity);
    const sale = { source: 'shop', externalId: 'order-1', total: '9.99' };
    assert.equal(await whence.report.sale({ ...sale, trackingId: opportunity }), opportunity);
    assert.equal(await whence.report.refund({ source: 'shop', externalId: 'order-1' }), opportunity);
  });

  it('throws an error of the class that matches the response, with its status, code, message, problem, errors and headers', async () => {
    const { whence, opportunity } = await makeWorld(service, ['whence', 'opportunity']);
    const sale = { source: 'shop', externalId: 'order-1', total: 10, trackingId: opportunity };
    await whence.report.sale(sale);

    const conflict = await errorOf(whence.report.sale({ ...sale, total: 11 }));
    assert.ok(conflict instanceof ConflictError);
    assert.deepEqual([conflict.status, conflict.code, conflict.name], [409, 'sale-conflict', 'ConflictError']);
    assert.match(conflict.message, /^POST \/v1\/event\/sale: 409 sale-conflict: ./);

    const faulty = await errorOf(whence.report.sale({ ...sale, externalId: '', total: 'many' }));
    assert.ok(faulty instanceof InvalidRequestError);
    assert.deepEqual(
      faulty.errors.map(({ pointer, code }) => [pointer, code]),
      [
        ['/externalId', 'too-short'],
        ['/total', 'invalid-format'],
      ],
    );

    const unknown = await errorOf(whence.report.refund({ source: 'shop', externalId: 'order-404' }));
    assert.ok(unknown instanceof NotFoundError);
    assert.equal(unknown.problem?.['externalId'], 'order-404');
    assert.deepEqual([unknown.code, unknown.errors], ['sale-not-found', []]);
    assert.equal(unknown.headers?.get('content-type'), 'application/problem+json');
  });

  it('throws an AuthenticationError without the key for a wrong key, and a PermissionError for a missing scope', async () => {
    const wrong = await errorOf(client(service.url).organization.get());
    assert.ok(wrong instanceof AuthenticationError);
    assert.ok(!JSON.stringify([wrong.message, wrong.problem, wrong.stack]).includes(KEY));
    const { rawKey } = await client(service.url, { apiKey: service.secretKey }).apiKeys.create({
      label: 'Reports only',
      scopes: ['events:write'],
    });
    const limited = client(service.url, { apiKey: rawKey });
    assert.ok((await errorOf(limited.organization.get())) instanceof PermissionError);
  });

  it('throws a PreconditionError for the second of two edits whose ifMatch is the ETag from withResponse()', async () => {
    const { whence, programId } = await makeWorld(service, ['whence', 'programId']);
    const { data, etag, status, headers } = await whence.programs.get(programId).withResponse();
    assert.equal(data.id, programId);
    assert.equal(status, 200);
    assert.ok(etag !== undefined && etag === headers.get('etag'));
    const changed = await whence.programs.update(programId, { name: 'Mine' }, { ifMatch: etag });
    assert.equal(changed.name, 'Mine');
    const late = await errorOf(whence.programs.update(programId, { name: 'Yours' }, { ifMatch: etag }));
    assert.ok(late instanceof PreconditionError);
    assert.equal(late.code, 'precondition-failed');
  });

  it('calls with the same idempotencyKey take effect once, and each call without a key takes effect', async () => {
    const { whence } = await makeWorld(service, ['whence']);
    const body = { name: 'Ada' };
    const first = await whence.collaborators.create(body, { idempotencyKey: 'sign-up-7' });
    const again = await whence.collaborators.create(body, { idempotencyKey: 'sign-up-7' });
    assert.deepEqual(again, first);
    const other = await whence.collaborators.create(body);
    assert.notEqual(other.id, first.id);
    const mismatch = await errorOf(whence.collaborators.create({ name: 'Eve' }, { idempotencyKey: 'sign-up-7' }));
    assert.equal(mismatch.code, 'idempotency-mismatch');
  });

  it('a call whose response was lost is retried, and its change is made once', async () => {
    const { whence: direct, apiKey } = await makeWorld(service, ['whence', 'apiKey']);
    let lost = 0;
    const whence = client(service.url, {
      apiKey,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (init.method !== 'POST' || lost > 0) return answer;
        lost += 1;
        throw new TypeError('fetch failed');
      },
    });
    const ada = await whence.collaborators.create({ name: 'Ada' });
    assert.equal(lost, 1);
    const { data } = await direct.collaborators.list();
    assert.deepEqual(
      data.map(({ id }) => id),
      [ada.id],
    );
  });

  it('a CSV file is returned as text', async () => {
    const { whence } = await makeWorld(service, ['whence']);
    assert.match(await whence.payouts.export(), /payoutId,fulfillmentId/);
  });
});

describe('the SDK with HEADER_PREFIX and BASE_PATH', () => {
  it('works with headerPrefix and the path in baseUrl, and fails if one of them is missing', async (test) => {
    const service = await startService({ HEADER_PREFIX: 'X-Acme', BASE_PATH: '/attribution' });
    test.after(() => service.stop());
    const { secretKey: apiKey } = service;
    const whence = client(`${service.url}/`, { apiKey, headerPrefix: 'X-Acme' });
    await whence.collaborators.create({ name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] });
    const opportunity = await whence.report.visit({ collaboratorId: 'tracking:ada' });
    assert.equal(await whence.report.visit({ collaboratorId: 'tracking:ada' }, { opportunity }), opportunity);
    assert.equal((await whence.collaborators.list()).estimatedCount, 1);
    for (let n = 0; n < 3; n += 1) await whence.collaborators.create({ name: `Number ${n}` });
    assert.equal((await whence.collaborators.list({ perPage: 1 }).toArray({ limit: 9 })).length, 4);

    const unaware = client(service.url, { apiKey });
    const prefix = await errorOf(unaware.report.visit({ collaboratorId: 'tracking:ada' }));
    assert.match(prefix.message, /no header X-Service-OID\. Set headerPrefix/);
    assert.ok(
      (await errorOf(client(new URL(service.url).origin, { apiKey }).organization.get())) instanceof NotFoundError,
    );
  });
});

describe('the SDK', () => {
  const organization = { id: 1, name: 'Mugs Ltd', tier: 'essentials' };

  it('retries transient failures with the same Idempotency-Key', async (test) => {
    const steps = [hangUp, problem(503, 'unavailable'), json(201, { id: 7 })];
    const { url, seen } = await startScripted(test, ...steps);
    const ada = await client(url).collaborators.create({ name: 'Ada' });
    assert.equal(ada.id, 7);
    assert.equal(seen.length, 3);
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    assert.equal(keys.size, 1);
    assert.match([...keys].join(), /^[0-9a-z]{1,7}(-[0-9a-z]{1,7}){3}$/);
    assert.deepEqual(
      seen.map(({ body }) => body),
      Array.from({ length: 3 }, () => '{"name":"Ada"}'),
    );
  });

  it('throws the last error after maxRetries', async (test) => {
    const { url, seen } = await startScripted(test, problem(429, 'rate-limited'));
    assert.ok((await errorOf(client(url).organization.get())) instanceof RateLimitError);
    assert.equal(seen.length, 3);
    assert.ok((await errorOf(client(url, { maxRetries: 0 }).organization.get())) instanceof RateLimitError);
    assert.equal(seen.length, 4);
    await errorOf(client(url).organization.get({ maxRetries: 4 }));
    assert.equal(seen.length, 9);
  });

  it('does not retry a rejected call, or a conditional change with unknown outcome', async (test) => {
    const { url, seen } = await startScripted(test, problem(422, 'invalid-request'), problem(503, 'unavailable'));
    await errorOf(client(url).organization.get());
    assert.equal(seen.length, 1);
    assert.ok((await errorOf(client(url).programs.update(5, {}, { ifMatch: '"1"' }))) instanceof ServerError);
    assert.equal(seen.length, 2);
    await errorOf(client(url).programs.update(5, {}));
    assert.equal(seen.length, 5);
  });

  it('throws a ConnectionError with the address if the service is unreachable', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const error = await errorOf(client(`http://127.0.0.1:${port}`, { maxRetries: 0 }).organization.get());
    assert.ok(error instanceof ConnectionError);
    assert.deepEqual([error.code, error.status], ['connection-failed', undefined]);
    assert.match(error.message, /^GET \/v1\/organization: connection-failed: .*ECONNREFUSED 127\.0\.0\.1:\d+/);
    assert.ok(error.cause instanceof TypeError);
  });

  it('throws a TimeoutError after timeoutMs, even in the middle of a response', async (test) => {
    const { url, seen } = await startScripted(test, neverAnswer, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"id": ');
    });
    const signals: (AbortSignal | null | undefined)[] = [];
    const send: typeof fetch = (address, init) => {
      signals.push(init?.signal);
      return fetch(address, init);
    };
    const whence = client(url, { timeoutMs: 300, maxRetries: 0, fetch: send });
    for (let n = 1; n <= 2; n += 1) {
      const error = await errorOf(whence.organization.get());
      assert.ok(error instanceof TimeoutError && error instanceof ConnectionError);
      assert.match(error.message, /timed-out: No response within 300 ms/);
      assert.equal(signals.at(-1)?.reason.name, 'TimeoutError');
      assert.equal(seen.length, n);
    }
  });

  it('an AbortSignal ends a call before, during and between attempts, with its reason', async (test) => {
    const { url, seen } = await startScripted(test, neverAnswer, problem(503, 'unavailable', { 'retry-after': '60' }));
    const reason = new Error('The visitor has left.');
    await assert.rejects(client(url).organization.get({ signal: AbortSignal.abort(reason) }), reason);
    assert.equal(seen.length, 0);
    for (let n = 1; n <= 2; n += 1) {
      const stop = new AbortController();
      const call = client(url).organization.get({ signal: stop.signal });
      while (seen.length < n) await new Promise((resolve) => setImmediate(resolve));
      stop.abort(reason);
      await assert.rejects(call, reason);
      assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
    }
  });

  it('throws unexpected-answer for a response that is not from Whence, and not-modified for a 304', async (test) => {
    const page = (status: number, headers = {}) =>
      startScripted(test, (response) => void response.writeHead(status, headers).end('<h1>Bad gateway</h1>'));
    const gateway = await errorOf(client((await page(502)).url, { maxRetries: 0 }).organization.get());
    assert.ok(gateway instanceof ServerError);
    assert.match(
      gateway.message,
      /502 unexpected-answer: The response is not from Whence\. Check baseUrl: <h1>Bad gateway/,
    );
    const welcome = await errorOf(client((await page(200)).url).organization.get());
    assert.deepEqual([welcome.code, welcome.status], ['unexpected-answer', 200]);
    const moved = await page(301, { location: 'https://whence.example/v1/organization' });
    const redirect = await errorOf(client(moved.url).organization.update({ name: 'Mugs Ltd' }));
    assert.match(
      redirect.message,
      /301 unexpected-answer: The service redirects to https:\/\/whence\.example\/v1\/organization\./,
    );
    const unchanged = await errorOf(client((await page(304)).url).organization.get());
    assert.equal(unchanged.code, 'not-modified');
    const other = await startScripted(test, json(404, { code: 'PGRST116', message: 'Not found' }));
    assert.match((await errorOf(client(other.url).organization.get())).message, /404 unexpected-answer: .*PGRST116/);
  });

  it('throws unexpected-answer for a proxy’s page with status 200, on every kind of call, and for a missing body', async (test) => {
    const page = await startScripted(test, (response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in to the network</h1>');
    });
    const { report, payouts, organization } = client(page.url);
    for (const call of [
      () => report.refund({ source: 'shop', externalId: 'order-1' }),
      () => report.visit({ collaboratorId: 7 }),
      () => payouts.export(),
      () => payouts.list(),
      () => organization.get(),
    ]) {
      const { code, status, detail } = await errorOf(call());
      assert.deepEqual([code, status], ['unexpected-answer', 200]);
      assert.match(detail, /The response is not from Whence\. Check baseUrl: <h1>Sign in/);
    }
    assert.equal(page.seen.length, 5);
    for (const [status, body] of [
      [200, 'null'],
      [200, ''],
      [204, ''],
    ] as const) {
      const { url } = await startScripted(test, (response) => void response.writeHead(status).end(body));
      assert.equal((await errorOf(client(url).organization.get())).code, 'unexpected-answer');
    }
  });

  it('iterating a list retries a failing page, throws a permanent error, and detects a loop', async (test) => {
    const page = (id: number, after: string) =>
      json(200, [{ id }], { 'x-service-estimated-count': '3', link: `</v1/payouts?after=${after}>; rel="next"` });
    const { url, seen } = await startScripted(test, page(1, 'a'), hangUp, page(2, 'b'), problem(404, 'not-found'));
    const ids: number[] = [];
    const walk = async (): Promise<void> => {
      for await (const { id } of client(url).payouts.list()) ids.push(id);
    };
    await assert.rejects(walk, NotFoundError);
    assert.deepEqual(ids, [1, 2]);
    assert.deepEqual(
      seen.map((each) => new URL(each.url, url).searchParams.get('after')),
      [null, 'a', 'a', 'b'],
    );
    const circle = await startScripted(test, page(1, 'a'));
    assert.equal((await errorOf(client(circle.url).payouts.list().toArray({ limit: 9 }))).code, 'unexpected-answer');
    assert.equal(circle.seen.length, 2);
    const object = await startScripted(test, json(200, { data: [] }, { 'x-service-estimated-count': '0' }));
    assert.equal((await errorOf(client(object.url).payouts.list())).code, 'unexpected-answer');
  });

  it('a signal aborted right after a response ends the call without waiting for the retry', async () => {
    const stop = new AbortController();
    const reason = new Error('The visitor has left.');
    const whence = client('https://whence.test', {
      fetch: async () => {
        stop.abort(reason);
        return new Response('', { status: 503, headers: { 'retry-after': '60' } });
      },
    });
    await assert.rejects(whence.organization.get({ signal: stop.signal }), reason);
  });

  it('sends the key, JSON and custom headers, but no undefined values', async (test) => {
    const { url, seen } = await startScripted(test, json(200, organization));
    const whence = client(url, { headers: { 'X-Trace': 'a', 'X-Who': 'all' } });
    const { signal } = new AbortController();
    await whence.organization.update({ name: 'Mugs Ltd' }, { headers: { 'X-Who': 'one' }, signal });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    const [{ headers, body, method } = {}] = seen;
    assert.equal(method, 'PATCH');
    assert.equal(body, '{"name":"Mugs Ltd"}');
    assert.equal(headers?.authorization, `Bearer ${KEY}`);
    assert.equal(headers?.['content-type'], 'application/json');
    assert.deepEqual([headers?.['x-trace'], headers?.['x-who']], ['a', 'one']);
    assert.equal(headers?.['idempotency-key'], undefined);
    await whence.ledger.getCheckpoint({ number: undefined });
    assert.equal(seen[1]?.url, '/v1/ledger/checkpoint');
  });

  it('a call’s headers override the client’s headers regardless of case, and work like idempotencyKey and ifMatch', async (test) => {
    const { url, seen } = await startScripted(test, json(200, organization), problem(503, 'unavailable'));
    const whence = client(url, { headers: { 'X-Who': 'all' } });
    await whence.collaborators.create({ name: 'Ada' }, { headers: { 'x-who': 'one', 'Idempotency-Key': 'mine' } });
    const [{ headers } = {}] = seen;
    assert.deepEqual([headers?.['x-who'], headers?.['idempotency-key']], ['one', 'mine']);
    await errorOf(whence.programs.update(5, {}, { headers: { 'If-Match': '"1"' } }));
    assert.equal(seen.length, 2);
  });

  it('encodes an id as a single path segment', async (test) => {
    const { url, seen } = await startScripted(test, json(200, organization));
    await client(url).payouts.get('../organization?x=/y#z');
    assert.equal(seen[0]?.url, '/v1/payouts/..%2Forganization%3Fx%3D%2Fy%23z');
    for (const id of ['', '.', '..']) assert.throws(() => client(url).payouts.get(id), /is not an id/);
    assert.equal(seen.length, 1);
  });

  it('with session: true, sends no key and rejects an apiKey', async (test) => {
    const { url, seen } = await startScripted(test, json(200, { name: 'Mugs' }));
    await client(url, { apiKey: undefined, session: true }).organization.get();
    assert.equal(seen[0]?.headers.authorization, undefined);
    assert.throws(() => client(url, { session: true }), /^TypeError: Set either apiKey or session, not both/);
  });

  it('throws at construction for an invalid apiKey or baseUrl', () => {
    const make = (options: object) => () => new Whence(options as WhenceOptions);
    for (const apiKey of ['two words', 'sk_live_ümlaut', 'a\nb']) {
      assert.throws(make({ baseUrl: 'https://whence.example', apiKey }), /^TypeError: apiKey is missing or malformed/);
    }
    for (const baseUrl of ['whence.example', '/v1', 'ftp://whence.example']) {
      assert.throws(make({ baseUrl, apiKey: KEY }), /^TypeError: baseUrl must/);
    }
  });

  it('throws at the first call, not at construction, if baseUrl or apiKey is missing', async () => {
    for (const apiKey of [undefined, '']) {
      const whence = new Whence({ baseUrl: 'https://whence.example', apiKey });
      await assert.rejects(whence.organization.get(), /^TypeError: apiKey is missing or malformed\./);
    }
    for (const baseUrl of [undefined, '']) {
      const whence = new Whence({ baseUrl, apiKey: KEY });
      await assert.rejects(whence.organization.get(), /^TypeError: baseUrl must be the URL of the service/);
      await assert.rejects(async () => {
        for await (const _ of whence.programs.list());
      }, /^TypeError: baseUrl must be the URL of the service/);
    }
  });

  it('refuses a publishable key before sending, except for visits', async (test) => {
    const { url, seen } = await startScripted(test, (response) => {
      response.writeHead(200, { 'x-service-oid': '7' }).end();
    });
    const whence = client(url, { apiKey: 'pk_live_0123456789abcdef0123456789abcdef' });
    await assert.rejects(
      whence.report.sale({ source: 's', externalId: '1', total: 1, trackingId: 1 }),
      /^TypeError: POST \/v1\/event\/sale needs a secret key \(sk_live_…\)\./,
    );
    await assert.rejects(whence.programs.list().page(), /^TypeError: GET \/v1\/programs needs a secret key/);
    assert.equal(seen.length, 0);
    assert.equal(await whence.report.visit({ collaboratorId: 1 }), 7);
  });

  it('the API document lists publishable keys only for visits, as the SDK does', () => {
    const paths = servedDocument('X-Service').paths as unknown as Readonly<
      Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>
    >;
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security = [] }]) => security.some((door) => 'publishableKey' in door))
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(calls, ['POST /v1/event/site-visited']);
  });

  it('throws if maxRetries or timeoutMs is not a valid number', async () => {
    const unset = Number(undefined);
    for (const [limits, message] of [
      [{ maxRetries: unset }, /^TypeError: maxRetries must/],
      [{ maxRetries: -1 }, /^TypeError: maxRetries must/],
      [{ timeoutMs: unset }, /^TypeError: timeoutMs must/],
      [{ timeoutMs: 0 }, /^TypeError: timeoutMs must/],
    ] as const) {
      assert.throws(() => client('https://whence.test', limits), message);
      await assert.rejects(client('https://whence.test').organization.get(limits), message);
    }
  });

  it('a failed call causes no unhandled rejection, with and without withResponse()', async (test) => {
    const { url } = await startScripted(test, problem(404, 'not-found'));
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    test.after(() => process.off('unhandledRejection', listen));
    await assert.rejects(client(url).payouts.get(1).withResponse(), NotFoundError);
    await assert.rejects(client(url).payouts.get(1), NotFoundError);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(unhandled, []);
  });
});
