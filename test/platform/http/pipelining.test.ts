import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createHttpServer } from '#platform/http/http-server.ts';
import { after, before, describe, it } from 'node:test';
import { exchange } from '../../support/raw-http.ts';
import { startService, type TestService } from '../../support/service.ts';
import { openShop } from '../../support/shop.ts';

const HOST = 'Host: localhost\r\n';

/*
 * If the response to a request is lost, the outcome of the request is unknown. An error in its place would claim that
 * nothing was done. So an unreadable request is rejected only after every earlier request has its response.
 */
describe('earlier requests on a connection', () => {
  let service: TestService;
  let collaboratorId: number;
  before(async () => {
    service = await startService();
    collaboratorId = await openShop(service).collaborator('ada');
  });
  after(() => service.stop());

  function visit(): string {
    const body = JSON.stringify({ collaboratorId });
    const head = `Authorization: Bearer ${service.secretKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    return `POST /v1/event/site-visited HTTP/1.1\r\n${HOST}${head}\r\n\r\n${body}`;
  }

  async function countVisits(): Promise<number> {
    const { rows } = await service.database.query<{ count: number }>('select count(*)::integer as count from visits');
    return rows[0]?.count ?? 0;
  }

  for (const [what, request, status] of [
    ['a CONNECT request', `CONNECT localhost:443 HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['a request that is not HTTP', 'hello\r\n\r\n', 400],
    [
      'a request with headers that are too large',
      `GET /healthz HTTP/1.1\r\n${HOST}X-Large: ${'a'.repeat(20_480)}\r\n\r\n`,
      431,
    ],
    [
      'a request with two lengths',
      `POST /v1/programs HTTP/1.1\r\n${HOST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
      400,
    ],
    [
      'a request with an invalid chunk size',
      `POST /healthz HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nx\r\n`,
      undefined,
    ],
  ] as const)
    it(`get their responses before ${what} is rejected, whether all are sent together or separately`, async () => {
      const earlier = await countVisits();
      for (const chunks of [[visit() + visit() + request], [visit(), visit() + request]]) {
        const { text } = await exchange(service.url, ...chunks);
        const [first, second, third, ...more] = text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
        assert.deepEqual([first, second, more], ['HTTP/1.1 200', 'HTTP/1.1 200', []], text);
        if (status !== undefined) assert.equal(third, `HTTP/1.1 ${status}`, text);
        else assert.match(third ?? '', /^HTTP\/1\.1 4\d\d$/, text);
      }
      assert.equal((await countVisits()) - earlier, 4, 'every acknowledged visit is stored');
    });

  it('an earlier request gets its long response in full before the next request is rejected', async () => {
    await service.database.query(
      `insert into custom_events (organization_id, slug, name)
       select min(id), 'e-' || generate_series, repeat('x', 200) from organizations, generate_series(1, 9000)
       group by generate_series`,
    );
    const list = `GET /v1/custom-events HTTP/1.1\r\n${HOST}Accept: text/csv\r\nAuthorization: Bearer ${service.secretKey}\r\n\r\n`;
    const { text } = await exchange(service.url, `${list}CONNECT localhost:443 HTTP/1.1\r\n${HOST}\r\n`);
    assert.equal(text.match(/,e-\d+,/g)?.length, 9_000);
    assert.match(text, /0\r\n\r\nHTTP\/1\.1 400 Bad Request\r\n/, 'the list is sent to its last chunk before the 400');
  });

  it('at most 16 unanswered requests of a connection are handled, and the connection is closed afterwards', async () => {
    const earlier = await countVisits();
    const { text } = await exchange(service.url, visit().repeat(40));
    assert.deepEqual(
      text.match(/HTTP\/1\.1 \d{3}/g),
      Array.from({ length: 16 }, () => 'HTTP/1.1 200'),
    );
    assert.equal((await countVisits()) - earlier, 16);
  });

  it('requests that follow a request with Connection: close get no response', async () => {
    const last = visit().replace('Host:', 'Connection: close\r\nHost:');
    for (const follower of [`CONNECT localhost:443 HTTP/1.1\r\n${HOST}\r\n`, 'hello\r\n\r\n']) {
      const { text } = await exchange(service.url, last + follower);
      assert.deepEqual(text.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200']);
    }
  });
});

describe('a client that doesn’t read its response', () => {
  it('is disconnected after a minute without progress', async () => {
    const server = createHttpServer((_, response) => response.end(Buffer.alloc(50_000_000)));
    assert.equal(server.timeout, 60_000);
    server.timeout = 50;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const closed = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    client.pause().write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    await closed;
    client.destroy();
    server.close();
  });
});

describe('a connection with more than 16 unanswered requests', () => {
  it('is no longer read', async () => {
    const waiting: ServerResponse[] = [];
    const server = createHttpServer((_, response) => waiting.push(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    let read = (): number => 0;
    server.on('connection', (socket) => (read = () => socket.bytesRead));
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    const closed = new Promise((resolve) => client.on('close', resolve));
    client.write(`GET / HTTP/1.1\r\n${HOST}\r\n`.repeat(200_000));
    // Client and server run in one process, so 2,000 turns of the event loop are enough for the server to read as much
    // as it accepts.
    for (let turn = 0; turn < 2_000; turn += 1) await new Promise(setImmediate);
    assert.equal(waiting.length, 16);
    assert.ok(read() < 1_048_576, `${read()} bytes were read`);
    for (const response of waiting) response.end();
    await closed;
    server.close();
  });

  for (const [what, headers] of [
    ['have a Host header', HOST],
    ['have no Host header', ''],
    ['have a body', `${HOST}Content-Length: 10\r\n`],
  ] as const)
    it(`gets responses to its first 16 requests, and only one more is parsed, if the requests ${what}`, async () => {
      const waiting: ServerResponse[] = [];
      let parsed = 0;
      const server = createHttpServer((_, response) => waiting.push(response));
      server.on('request', () => (parsed += 1)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
      let received = '';
      client.on('data', (chunk) => (received += String(chunk)));
      const closed = once(client, 'close');
      const body = headers.includes('Content-Length') ? '0123456789' : '';
      // Send one chunk, which the parser would read in one turn of the event loop.
      client.write(`GET / HTTP/1.1\r\n${headers}\r\n${body}`.repeat(600));
      while (waiting.length < 16) await new Promise(setImmediate);
      for (const response of waiting) response.end();
      await closed;
      assert.equal(received.match(/HTTP\/1\.1 200/g)?.length, 16);
      assert.equal(parsed, 17, 'the first request beyond the limit is the last that is parsed');
      server.close();
    });
});
