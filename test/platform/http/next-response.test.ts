import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, it } from 'node:test';
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
