import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTls } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { answerWith, openReceiver, type Receiver } from '#test/support/receiver.ts';
import { resolveLocally } from '#webhooks/reactions/resolve.ts';
import { type Answer, KEPT_BYTES, sender, type SenderOptions } from '#webhooks/reactions/send.ts';

const BODY = '{"type":"webhook.test"}';
/** A time limit in milliseconds that no response reaches on a working machine. A test that reaches it has failed. */
const PATIENT_MS = 8_000;
/** The time limit in milliseconds for receivers that never answer. */
const SHORT_MS = 150;

function post(url: string, options: Partial<SenderOptions> = {}): Promise<Answer> {
  const resolve = (): Promise<readonly string[]> => Promise.resolve(['127.0.0.1']);
  const send = sender({ resolve, privateAllowed: true, totalMs: PATIENT_MS, bodyMs: PATIENT_MS, ...options });
  return send(url, { 'webhook-id': '1' }, BODY);
}

describe('the webhook sender', () => {
  let receiver: Receiver;
  before(async () => {
    receiver = await openReceiver();
  });
  after(() => receiver.close());

  it('sends a plain POST without cookies, compression or keep-alive', async () => {
    receiver.behave(answerWith(200, { 'set-cookie': 'a=b' }, 'thanks'));
    assert.deepEqual(await post(receiver.url), { statusCode: 200, error: null, retryAfter: null, response: 'thanks' });
    await post(receiver.url);
    const [first, second] = receiver.received;
    assert.equal(first?.body, BODY);
    assert.deepEqual(
      Object.keys(second?.headers ?? {}).join(' '),
      'webhook-id content-type content-length host connection',
    );
    assert.equal(second?.headers.connection, 'close');
  });

  it('reports a status other than 2xx as failed', async () => {
    for (const status of [304, 400, 401, 404, 410, 500, 503]) {
      receiver.behave(answerWith(status, {}, status === 304 ? '' : 'no'));
      const { statusCode, error } = await post(receiver.url);
      assert.equal(statusCode, status);
      assert.match(error ?? '', new RegExp(`^the receiver returned ${status}`));
    }
  });

  it('follows no redirect', async () => {
    const other = await openReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.behave(answerWith(status, { location: other.url }));
      const { error } = await post(receiver.url);
      assert.equal(error, `the receiver returned ${status}: redirects are not followed`);
    }
    assert.equal(other.received.length, 0);
    await other.close();
  });

  it('reports the delay in Retry-After', async () => {
    receiver.behave(answerWith(429, { 'retry-after': '77' }));
    assert.equal((await post(receiver.url)).retryAfter, 77);
  });

  it('after the total time limit, abandons a receiver that has not responded', async () => {
    receiver.behave(() => {});
    assert.deepEqual(await post(receiver.url, { totalMs: SHORT_MS }), {
      statusCode: null,
      error: 'no response within 0.15 s',
      retryAfter: null,
      response: null,
    });
  });

  it('reports success for a 2xx status with a slow body, and closes the connection', async () => {
    let reply: ServerResponse | undefined;
    receiver.behave((opened) => {
      reply = opened;
      opened.writeHead(202).write('a drop');
    });
    const answer = await post(receiver.url, { bodyMs: SHORT_MS });
    assert.deepEqual(answer, { statusCode: 202, error: null, retryAfter: null, response: 'a drop' });
    await once(reply as ServerResponse, 'close');
  });

  it('closes the connection once it has read enough of a response of 10 MB', async () => {
    let written = 0;
    let cut: Promise<unknown> | undefined;
    receiver.behave((reply) => {
      cut = once(reply, 'close');
      reply.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const write = (): void => {
        while (written < 10_000_000 && !reply.destroyed) {
          written += chunk.length;
          if (!reply.write(chunk)) return void reply.once('drain', write);
        }
        reply.end();
      };
      write();
    });
    const { statusCode, response } = await post(receiver.url);
    await cut;
    assert.equal(statusCode, 200);
    assert.equal(response, 'x'.repeat(KEPT_BYTES));
    assert.ok(written < 10_000_000, 'the connection was cut');
  });

  it('closes the connection once it has read enough of a response in tiny chunks', async () => {
    const raw = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.write('1\r\na\r\n'.repeat(400_000));
    });
    const answer = await post(raw.url);
    assert.equal(answer.statusCode, 200);
    assert.ok((answer.response ?? '').length <= KEPT_BYTES);
    await raw.cut;
    raw.close();
  });

  it('reports endless informational responses as failed, and closes the connection', async () => {
    const raw = await rawReceiver((socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(200_000)));
    assert.equal((await post(raw.url)).error, 'too many informational responses');
    await raw.cut;
    raw.close();
  });

  it('reads a response after a few informational responses', async () => {
    const raw = await rawReceiver((socket) =>
      socket.end(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(4)}HTTP/1.1 204 No Content\r\n\r\n`),
    );
    assert.equal((await post(raw.url)).statusCode, 204);
    raw.close();
  });

  it('replaces binary bytes of a response, and omits a character that is cut off at the size limit', async () => {
    receiver.behave((reply) => reply.end(Buffer.from([0x61, 0x00, 0xff, 0x62])));
    assert.equal((await post(receiver.url)).response, 'a\uFFFD\uFFFDb');
    receiver.behave((reply) => reply.end(`${'x'.repeat(KEPT_BYTES - 1)}é`));
    assert.equal((await post(receiver.url)).response, 'x'.repeat(KEPT_BYTES - 1));
  });

  it('reports success if the connection closes after the headers of a 2xx response', async () => {
    receiver.behave((reply) => {
      reply.writeHead(200, { 'content-length': '100' }).write('half', () => reply.destroy());
    });
    const answer = await post(receiver.url);
    assert.deepEqual([answer.statusCode, answer.error, answer.response], [200, null, 'half']);
  });
});

describe('a host that isn’t an HTTP receiver', () => {
  const raw = async (talk: (socket: Socket) => void): Promise<{ url: string; close: () => Promise<void> }> => {
    const server = createTcp((socket) => {
      socket.on('error', () => {});
      socket.resume();
      talk(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      close: async () => {
        server.close();
        await once(server, 'close');
      },
    };
  };
  const cases: readonly (readonly [string, (socket: Socket) => void, RegExp])[] = [
    ['closes the connection at once', (socket) => socket.destroy(), /closed before the response/],
    [
      'closes the connection after the request',
      (socket) => socket.once('data', () => socket.end()),
      /closed before the response/,
    ],
    ['speaks another protocol than HTTP', (socket) => socket.end('SSH-2.0-OpenSSH\r\n'), /^the response is not HTTP/],
    [
      'switches to another protocol',
      (socket) =>
        socket.once('data', () =>
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
        ),
      /closed before the response/,
    ],
    [
      'has endless headers',
      (socket) => socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nA: ${'a'.repeat(100_000)}`)),
      /headers are too long/,
    ],
    [
      'sends its headers byte by byte',
      (socket) => {
        const drip = setInterval(() => socket.write('H'), 20);
        socket.on('close', () => clearInterval(drip));
        socket.write('HTTP/1.1 200 OK\r\nX-');
      },
      /^no response within/,
    ],
  ];
  for (const [name, talk, error] of cases) {
    it(`${name}: the delivery fails and reports the reason`, async () => {
      const server = await raw(talk);
      const answer = await post(server.url, { totalMs: error.source.includes('within') ? SHORT_MS : PATIENT_MS });
      await server.close();
      assert.equal(answer.statusCode, null);
      assert.match(answer.error ?? '', error);
    });
  }

  it('refuses connections: the delivery fails and reports the refusal', async () => {
    const server = await raw(() => {});
    await server.close();
    assert.equal((await post(server.url)).error, 'the connection was refused');
  });

  it('has an unknown name, or name servers that fail or don’t respond: the delivery fails and reports the reason', async () => {
    const missing = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    const answers = [
      await post('http://gone.example/', { resolve: () => Promise.reject(missing) }),
      await post('http://gone.example/', { resolve: () => Promise.resolve([]) }),
      await post('http://gone.example/', { resolve: () => Promise.reject(new Error('queryA ESERVFAIL')) }),
      await post('http://gone.example/', { resolve: () => new Promise(() => {}), totalMs: SHORT_MS }),
    ];
    assert.deepEqual(
      answers.map(({ error }) => error),
      [
        'the host has no address',
        'the host has no address',
        'the host’s name can’t be resolved',
        'no response within 0.15 s',
      ],
    );
  });

  it('has an unroutable address: the connection fails and the process continues', async () => {
    // 255.255.255.255 is the broadcast address. fe80::1 is a link-local address without a zone, so no interface can be
    // chosen.
    for (const address of ['255.255.255.255', 'fe80::1']) {
      const resolve = () => Promise.resolve([address]);
      for (const scheme of ['http', 'https']) {
        const { statusCode, error } = await post(`${scheme}://nowhere.example/`, { resolve, totalMs: SHORT_MS });
        assert.equal(statusCode, null, error ?? '');
        assert.notEqual(error, null);
      }
    }
  });
});

describe('the operator’s own network', () => {
  let receiver: Receiver;
  before(async () => {
    receiver = await openReceiver();
  });
  after(() => receiver.close());

  const PRIVATE = 'not sent: the host resolves to an address that is not public';
  const closed = { privateAllowed: false };

  it('can’t be reached with a URL that contains localhost or a private address in any notation', async () => {
    const { port } = new URL(receiver.url);
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::7f00:1]',
      'localhost',
    ]) {
      const { error } = await post(`https://${host}:${port}/`, closed);
      assert.match(error ?? '', /^not sent: the URL must/, host);
    }
    assert.match((await post(receiver.url, closed)).error ?? '', /https/);
    assert.equal(receiver.received.length, 0);
  });

  it('can’t be reached with a name if any of its addresses is private', async () => {
    for (const found of [
      ['127.0.0.1'],
      ['10.0.0.1'],
      ['::ffff:7f00:1'],
      ['64:ff9b::7f00:1'],
      ['8.8.8.8', '127.0.0.1'],
    ]) {
      const resolve = (): Promise<string[]> => Promise.resolve(found);
      assert.equal((await post('https://evil.example/', { ...closed, resolve })).error, PRIVATE, found.join());
    }
  });

  it('can’t be reached by DNS rebinding, because each attempt resolves the name only once', async () => {
    const { port } = new URL(receiver.url);
    let asked = 0;
    const turning = (): Promise<string[]> => {
      asked += 1;
      // 192.0.2.1 is reserved for documentation and unreachable. A second lookup would return the receiver’s address.
      return Promise.resolve([asked === 1 ? '192.0.2.1' : '127.0.0.1']);
    };
    await post(`http://evil.example:${port}/`, { resolve: turning, totalMs: SHORT_MS });
    assert.equal(asked, 1);
    assert.equal(receiver.received.length, 0);
    const { error } = await post(`https://evil.example:${port}/`, { ...closed, resolve: turning });
    assert.equal(error, PRIVATE);
    assert.equal(asked, 2);
  });

  it('can be reached with a local name if the operator allows it', async () => {
    const { port } = new URL(receiver.url);
    const { statusCode } = await post(`http://localhost:${port}/`, { resolve: resolveLocally });
    assert.equal(statusCode, 204);
    assert.equal(receiver.received.at(-1)?.headers.host, `localhost:${port}`);
  });
});

describe('TLS of webhook receivers', () => {
  it('requires a trusted certificate for the host name', async () => {
    const pem = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'receiver.pem'), 'utf8');
    const server = createTls({ key: pem, cert: pem }, (request, reply) => {
      request.resume().on('end', () => reply.writeHead(204).end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `https://receiver.test:${port}/`;
    assert.match((await post(url)).error ?? '', /^the certificate can’t be trusted/);
    setDefaultCACertificates([...getCACertificates('default'), pem]);
    assert.equal((await post(url)).error, null);
    assert.match((await post(`https://other.test:${port}/`)).error ?? '', /^the certificate can’t be trusted/);
    assert.match((await post(`http://receiver.test:${port}/`)).error ?? '', /closed|not HTTP/);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('is reported as missing if the receiver speaks plain HTTP', async () => {
    const receiver = await openReceiver();
    const { error } = await post(receiver.url.replace('http:', 'https:'));
    assert.equal(error, 'the host doesn’t speak TLS');
    await receiver.close();
  });
});

/** Opens a TCP server that calls `answer` when a request arrives. `cut` resolves once a connection is closed. */
async function rawReceiver(answer: (socket: Socket) => void) {
  const server = createTcp().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      socket.on('error', () => {}).on('close', () => resolve());
      socket.once('data', () => answer(socket));
    });
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, cut, close: () => server.close() };
}
