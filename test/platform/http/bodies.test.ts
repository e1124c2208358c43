import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { bodyPool, type BodyRoom, readBody } from '#platform/http/bodies.ts';
import { MAX_BUFFERED_BYTES } from '#platform/http/request-limits.ts';
import { openCaller } from '../../support/caller.ts';
import { startService, type TestService } from '../../support/service.ts';

const MIB = 1_048_576;
const VISIT = '/v1/event/site-visited';
const SALE = '/v1/event/sale';
const LARGE = Buffer.alloc(2 * MIB, 0x20);

let service: TestService;
before(async () => {
  service = await startService({ RATE_LIMIT_PUBLISHABLE: '0', RATE_LIMIT_SECRET: '0' });
});
after(() => service.stop());

describe('a request that is rejected before its body has arrived', () => {
  type Refusal = { readonly path: string; readonly headers: Record<string, string>; readonly expected: number };
  const refusals = (): readonly Refusal[] => {
    const authorization = `Bearer ${service.secretKey}`;
    const json = 'application/json';
    return [
      { path: SALE, headers: { authorization, 'content-type': json }, expected: 413 },
      { path: VISIT, headers: { authorization, 'content-type': json }, expected: 413 },
      { path: SALE, headers: { authorization: 'Bearer sk_live_wrong', 'content-type': json }, expected: 401 },
      {
        path: SALE,
        headers: { authorization: `Bearer ${service.publishableKey}`, 'content-type': json },
        expected: 403,
      },
      { path: '/v1/nothing', headers: { authorization, 'content-type': json }, expected: 404 },
      { path: '/healthz', headers: { authorization, 'content-type': json }, expected: 405 },
      { path: SALE, headers: { authorization, 'content-type': 'text/plain' }, expected: 415 },
    ];
  };
  const statusOf = async ({ path, headers }: Refusal): Promise<number | string> => {
    try {
      const reply = await fetch(service.url + path, { method: 'POST', headers, body: LARGE });
      assert.match(await reply.text(), /"code":/);
      return reply.status;
    } catch (error) {
      return String((error as Error).cause ?? error);
    }
  };

  it('each of 300 requests with a body of 2 MiB gets its 413 response', async () => {
    const [tooLarge] = refusals();
    assert.ok(tooLarge);
    assert.deepEqual(await statusesOfFetches(service.url + tooLarge.path, tooLarge.headers), { 413: 300 });
  });

  it('a client can read the error response, with Content-Length or chunked, and with or without Connection: close', async () => {
    for (const refusal of refusals()) {
      const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(refusal)));
      assert.deepEqual([...new Set(statuses)], [refusal.expected], `${refusal.path} ${refusal.expected}`);
      const { headers, path } = refusal;
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      for (const framing of [`Content-Length: ${LARGE.length}`, 'Transfer-Encoding: chunked']) {
        const lines = [`POST ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...head, framing, '', ''];
        const sent = framing.startsWith('T') ? inChunks(LARGE) : LARGE;
        const ends = await Promise.all(Array.from({ length: 10 }, () => exchangeWhole(lines.join('\r\n'), sent)));
        assert.deepEqual([...new Set(ends)], [`HTTP/1.1 ${refusal.expected}, closed`], `${path} ${framing}`);
      }
    }
  });

  it('a client beyond its rate limit can read its 429 or 413 response', async () => {
    const limited = await startService({ RATE_LIMIT_PUBLISHABLE: '1' });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const headers = { authorization: `Bearer ${limited.publishableKey}`, 'content-type': 'application/json' };
        const reply = await fetch(limited.url + VISIT, { method: 'POST', headers, body: LARGE });
        await reply.arrayBuffer();
        return reply.status;
      }),
    );
    await limited.stop();
    assert.ok(statuses.includes(429));
    assert.deepEqual(
      statuses.filter((status) => status !== 429 && status !== 413),
      [],
    );
  });

  it('a client with headers that are too large can read its 431 response', async () => {
    const lines = [
      `POST ${SALE} HTTP/1.1`,
      'Host: x',
      `X-Large: ${'a'.repeat(20_480)}`,
      `Content-Length: ${LARGE.length}`,
    ];
    const head = `${lines.join('\r\n')}\r\n\r\n`;
    const ends = await Promise.all(Array.from({ length: 40 }, () => exchangeWhole(head, LARGE)));
    assert.deepEqual([...new Set(ends)], ['HTTP/1.1 431, closed']);
  });

  it('a rejected request with a body of 1 MiB keeps its connection open for the next request', async () => {
    const body = Buffer.alloc(MIB, 0x20);
    const refused = `POST ${SALE} HTTP/1.1\r\nHost: x\r\nContent-Length: ${MIB}\r\n\r\n`;
    const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const { text } = await exchangeRaw(refused, body, next);
    assert.deepEqual(text.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  it('the connection is closed after the server has read another 8 MiB of the body', async () => {
    const head = `POST ${SALE} HTTP/1.1\r\nHost: x\r\nContent-Length: ${1024 * MIB}\r\n\r\n`;
    const { text, written } = await exchangeRaw(head, ...Array.from({ length: 1024 }, () => Buffer.alloc(MIB)));
    assert.match(text, /^HTTP\/1\.1 401 /);
    assert.ok(written < 64 * MIB, `${written} of ${1024 * MIB} bytes were taken`);
  });
});

describe('a body in pieces of one byte', () => {
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.publishableKey}\r\n` +
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const inPieces = (text: string) => Buffer.from(Array.from(text, (character) => `1\r\n${character}\r\n`).join(''));
  const visit = JSON.stringify({ collaboratorId: '1' });

  it('is read if it has 1,000 pieces, and gets a 400 with advice if it has 1,100', async () => {
    for (const pieces of [1_000, 1_100]) {
      const start = head(VISIT).replace('Host: x', 'Host: x\r\nConnection: close');
      const { text } = await exchangeRaw(start, inPieces(visit.padEnd(pieces)), '0\r\n\r\n');
      assert.match(text, pieces > 1_000 ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 422 /);
      assert.equal(text.includes('Send pieces of at least 64 bytes.'), pieces > 1_000);
    }
  });

  it('changes nothing for later requests, even if they use the parsers of closed connections', async () => {
    for (let n = 0; n < 8; n += 1) await exchangeRaw(head(VISIT), inPieces(visit.padEnd(1_100)), '0\r\n\r\n');
    const { send, leave } = openCaller(service.url);
    const replies = await Promise.all(Array.from({ length: 16 }, () => send('GET', '/healthz')));
    leave();
    assert.deepEqual([...new Set(replies.map(({ text }) => text))], ['{"status":"alive"}']);
  });

  it('is not read to its end if the request is refused or is a GET, and the connection is closed', async () => {
    for (const method of ['POST', 'GET']) {
      const start = head('/v1/nothing').replace('POST', method);
      const { text, written } = await exchangeRaw(start, ...Array<Buffer>(200).fill(inPieces(' '.repeat(10_000))));
      assert.match(text, method === 'GET' ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 404 /);
      assert.ok(written < 8 * MIB, `${written} bytes were taken`);
    }
  });
});

describe('request bodies that arrive slowly', () => {
  it('reports of visits with a Content-Length that is too large get a 413 at once', async () => {
    const slow = await openSlow(400, VISIT, service.publishableKey, MIB - 1);
    const statuses = await Promise.all(slow.map(({ status }) => status));
    for (const { socket } of slow) socket.destroy();
    assert.deepEqual([...new Set(statuses)], [413]);
  });

  it('slow bodies use a bounded amount of memory, and do not block visits', async () => {
    const size = 900_000;
    const before = process.memoryUsage().arrayBuffers;
    const fitting = Math.floor(MAX_BUFFERED_BYTES.keysOfOrganization / size);
    const slow = await openSlow(400, SALE, service.secretKey, size);
    const refused: number[] = [];
    const enough = Promise.withResolvers<void>();
    const countRefusal = async (status: Promise<number>): Promise<void> => {
      refused.push(await status);
      if (refused.length >= 400 - fitting) enough.resolve();
    };
    for (const { status } of slow) void countRefusal(status);
    await enough.promise;
    assert.deepEqual([...new Set(refused)], [503]);
    const grown = process.memoryUsage().arrayBuffers - before;
    assert.ok(grown < 2 * MAX_BUFFERED_BYTES.keys, `${grown} bytes`);

    const visit = { collaboratorId: 'tracking:nobody' };
    const visitor = await service.request('POST', VISIT, { key: service.publishableKey, body: visit });
    assert.equal(visitor.status, 422);
    const otherKey = await service.foundOrganization('Another shop');
    const other = await service.request('POST', SALE, { key: otherKey, body: { x: 'x'.repeat(size) } });
    assert.equal(other.status, 422, 'another organization is still accepted');
    for (const { socket } of slow) socket.destroy();
    // The service notices closed connections with a delay and then frees their memory, so repeat the request until it
    // is accepted.
    const sell = () => service.request('POST', SALE, { key: service.secretKey, body: { x: 'x'.repeat(size) } });
    for (const deadline = performance.now() + 10_000; ;) {
      const { status } = await sell();
      if (status === 422) break;
      assert.equal(status, 503);
      assert.ok(performance.now() < deadline, 'the memory is free again within 10 s');
    }
  });

  it('a body sent in small pieces uses at most twice its size in memory', async () => {
    const length = 16_384;
    const taken = await readSlowly({ bytes: Array.from({ length: length / 64 }, (_, at) => Buffer.alloc(64, at)) });
    assert.equal(taken.body?.length, length);
    assert.ok(taken.body?.every((byte, at) => byte === Math.floor(at / 64)));
    assert.ok(taken.most <= 2 * length, `${taken.most} bytes`);
    assert.equal(taken.left, 0);
  });

  it('a body is rejected at the first chunk that does not fit, and its memory is freed', async () => {
    const chunks = [Buffer.alloc(600), Buffer.alloc(600)];
    const full = await readSlowly({ bytes: chunks, poolBytes: 1_000 });
    assert.deepEqual([full.error?.name, full.left], ['BodiesFull', 0]);
    const long = await readSlowly({ bytes: chunks, maxBytes: 1_000 });
    assert.deepEqual([long.error?.name, long.left], ['BodyTooLarge', 0]);
  });

  it('a body frees its memory once, whether the request or the response ends first', async () => {
    const bytes = [Buffer.alloc(600), Buffer.alloc(600)];
    for (const order of ['response-first', 'request-first'] as const) {
      const cut = await readSlowly({ bytes, cut: order });
      assert.deepEqual([cut.error instanceof Error, cut.left], [true, 0], order);
    }
  });

  it('a body is not read after the response was closed', async () => {
    const { error, body, left } = await readSlowly({ bytes: [Buffer.alloc(600), Buffer.alloc(600)], closeAfter: 1 });
    assert.deepEqual([error instanceof Error, body, left], [true, undefined, 0]);
  });

  it('a body that arrives in one chunk still fits into memory if slow senders use their whole share', async () => {
    const full = bodyPool(0, 0);
    const free = bodyPool(1_000, 1_000);
    const read = async (...chunks: readonly string[]) => {
      const request = new PassThrough() as unknown as IncomingMessage & PassThrough;
      request.headers = { 'content-length': '4' };
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const room = { maxBytes: 100, pool: full, wholePool: free, owner: 1 };
      readBody(request, new EventEmitter() as ServerResponse, room, (error, body) =>
        resolve(error?.name ?? body?.toString()),
      );
      for (const chunk of chunks) {
        request.write(chunk);
        await new Promise((next) => setImmediate(next));
      }
      request.end();
      return promise;
    };
    assert.equal(await read('1234'), '1234');
    assert.equal(await read('12', '34'), 'BodiesFull');
  });

  it('the bodies of one organization or network are limited to a share of the memory pool', () => {
    const pool = bodyPool(1_000, 600);
    assert.deepEqual(
      [pool.take(1, 600), pool.take(1, 1), pool.take(2, 400), pool.take(2, 1)],
      [true, false, true, false],
    );
    pool.free(1, 600);
    assert.deepEqual([pool.take(2, 200), pool.take(1, 401), pool.take(1, 400)], [true, false, true]);
  });
});

/** Reads a body in chunks. Returns the body or error, and the pool's highest (`most`) and last (`left`) byte count. */
async function readSlowly({
  bytes,
  poolBytes = 1_000_000,
  maxBytes = 100_000,
  cut,
  closeAfter,
}: {
  readonly bytes: readonly Buffer[];
  readonly poolBytes?: number;
  readonly maxBytes?: number;
  /** Breaks the connection instead of ending the body. The value says whether request or response closes first. */
  readonly cut?: 'response-first' | 'request-first';
  /** The number of chunks after which the response is closed. */
  readonly closeAfter?: number;
}) {
  const request = new PassThrough() as unknown as IncomingMessage & PassThrough;
  request.headers = { 'transfer-encoding': 'chunked' };
  const response = new EventEmitter();
  const counted = bodyPool(poolBytes, poolBytes);
  let held = 0;
  let most = 0;
  const pool: BodyRoom['pool'] = {
    take: (owner, size) => {
      const isTaken = counted.take(owner, size);
      if (isTaken) held += size;
      most = Math.max(most, held);
      return isTaken;
    },
    free: (owner, size) => {
      held -= size;
      counted.free(owner, size);
    },
  };
  const { promise, resolve } = Promise.withResolvers<{ error: Error | null; body: Buffer | undefined }>();
  readBody(request, response as ServerResponse, { maxBytes, pool, wholePool: pool, owner: 1 }, (error, body) =>
    resolve({ error, body }),
  );
  for (const [at, chunk] of bytes.entries()) {
    if (at === closeAfter) response.emit('close');
    request.write(chunk);
    await new Promise((next) => setImmediate(next));
  }
  const ends = [() => response.emit('close'), () => request.destroy(new Error('aborted'))];
  if (cut === undefined) request.end();
  else for (const end of cut === 'response-first' ? ends : ends.toReversed()) end();
  const read = await promise;
  if (closeAfter === undefined && cut !== 'response-first') response.emit('close');
  return { ...read, most, left: held };
}

/** Sends 300 requests of 2 MiB, 20 at a time, from a separate process. Returns their number by status or error. */
async function statusesOfFetches(url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const script = `
    const [url, headers] = JSON.parse(process.argv[1]);
    const body = Buffer.alloc(${LARGE.length}, 0x20);
    const counts = {};
    let sent = 0;
    const send = async () => {
      while (sent < 300) {
        sent += 1;
        const answer = await fetch(url, { method: 'POST', headers, body }).then(
          async (reply) => (await reply.text(), reply.status),
          (error) => String(error.cause ?? error),
        );
        counts[answer] = (counts[answer] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 20 }, send));
    console.log(JSON.stringify(counts));
  `;
  const input = JSON.stringify([url, headers]);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, input]);
  return JSON.parse(stdout) as unknown;
}

type Slow = { readonly socket: Socket; readonly status: Promise<number> };

/** Opens requests that send their whole body except its last byte. Returns their sockets and response statuses. */
async function openSlow(count: number, path: string, key: string, bytes: number): Promise<readonly Slow[]> {
  const { hostname, port } = new URL(service.url);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ];
  const body = Buffer.alloc(bytes - 1, 0x20);
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const status = new Promise<number>((resolve) => {
      socket.once('data', (data) => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString())?.[1])));
    });
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(body);
    return { socket, status };
  });
}

function inChunks(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
}

/** Sends a request. Returns the HTTP version and status, and `closed` or the connection's error code. */
async function exchangeWhole(head: string, body: Buffer): Promise<string> {
  const { text, end } = await exchangeRaw(head, body);
  return `${/^HTTP\/1\.1 \d{3}/.exec(text)?.[0] ?? 'nothing'}, ${end}`;
}

/**
 * Writes each chunk once the previous chunk is accepted, and reads at the same time. Resolves once the connection is
 * closed, with the received text, the number of written bytes, and `closed` or the error code of the connection.
 */
function exchangeRaw(...chunks: readonly (string | Buffer)[]) {
  const { hostname, port } = new URL(service.url);
  return new Promise<{ text: string; end: string; written: number }>((resolve) => {
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    let end = 'closed';
    let written = 0;
    socket.on('data', (data) => received.push(data));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      end = String(error.code);
    });
    socket.on('close', () => resolve({ text: Buffer.concat(received).toString(), end, written }));
    writeNext(0);

    function writeNext(at: number): void {
      const chunk = chunks[at];
      if (chunk === undefined || socket.destroyed) return;
      socket.write(chunk, (error) => {
        if (error) return;
        written += chunk.length;
        writeNext(at + 1);
      });
    }
  });
}
