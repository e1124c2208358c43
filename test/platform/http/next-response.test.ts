import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, it } from 'node:test';
import { bodyPool, readBody } from '#platform/http/bodies.ts';
import { isNextResponse, limitWaitForTurn } from '#platform/http/next-response.ts';

describe('pipelined requests', () => {
  it('the second request begins after the first response has been sent, and none begins after a disconnect', async () => {
    const arrived: [ServerResponse, Promise<boolean>][] = [];
    const [two, three] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const server = createServer((_, response) => {
      arrived.push([response, isNextResponse(response)]);
      if (arrived.length === 2) two.resolve();
      if (arrived.length === 3) three.resolve();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(request + request);
    await two.promise;
    const [first, second] = arrived as [(typeof arrived)[0], (typeof arrived)[0]];
    assert.equal(await first[1], true);
    assert.equal(second[0].socket, null, 'the second response waits for the first');
    first[0].end('one');
    assert.equal(await second[1], true);
    socket.write(request);
    await three.promise;
    socket.destroy();
    assert.equal(await arrived[2]?.[1], false);
    server.close();
  });

  it('the body of a request counts as slow while the response before it has not been sent', async () => {
    const [slow, whole] = [bodyPool(10, 10), bodyPool(10, 10)];
    const lengths: number[] = [];
    const both = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      readBody(request, response, { maxBytes: 10, pool: slow, wholePool: whole, owner: 'network' }, (_, body) => {
        if (lengths.push(body?.length ?? 0) === 2) both.resolve();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const post = (body: string) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(post('four') + post('sixsix'));
    await both.promise;
    assert.deepEqual(lengths, [4, 6]);
    assert.deepEqual([whole.take('network', 7), whole.take('network', 6)], [false, true]);
    assert.deepEqual([slow.take('network', 5), slow.take('network', 4)], [false, true]);
    socket.destroy();
    server.close();
  });

  it('the body of a request counts until its response is complete, even if the client does not read the response', async () => {
    const pool = bodyPool(10, 10);
    const answered = Promise.withResolvers<void>();
    let isReleased = false;
    const server = createServer((request, response) => {
      const room = { maxBytes: 10, pool, wholePool: pool, owner: 'network' };
      const answer = (): void => {
        assert.ok(!pool.take('network', 7), 'the body counts');
        response.end(Buffer.alloc(64 * 1024 * 1024));
        answered.resolve();
      };
      readBody(request, response, room, answer, () => (isReleased = true));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nfour');
    await answered.promise;
    assert.deepEqual([pool.take('network', 10), isReleased], [true, true]);
    socket.destroy();
    server.close();
  });

  it('a connection is closed if a request waits too long for the response before it', async () => {
    let count = 0;
    const server = createServer((request, response) => {
      count += 1;
      // The first response has its turn, so it has no limit.
      if (count !== 2) limitWaitForTurn(request, response, 1);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(request + request);
    const closed = once(socket, 'close');
    socket.write(request);
    await closed;
    assert.equal(count, 3, 'the first two responses have no limit');
    server.close();
  });
});
