import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../../support/service.ts';

describe('an open connection while the service stops', () => {
  let service: TestService;
  let port: number;
  let stopped: Promise<void> | undefined;
  before(async () => {
    service = await startService();
    port = Number(new URL(service.url).port);
  });
  after(() => stopped ?? service.stop());

  const opened = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const answered = async (socket: Socket): Promise<string> => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    return data.toString();
  };

  it('is closed after a second of inactivity, before the service has stopped', async () => {
    const [silent, asking] = [await opened(), await opened()];
    for (const socket of [silent, asking]) assert.match(await answered(socket), /connection: keep-alive/i);
    const closed = once(silent, 'close');
    silent.resume();
    const began = performance.now();
    stopped = service.stop();
    const last = await answered(asking);
    assert.match(last, /^HTTP\/1\.1 200 /, 'a request on an open connection is answered');
    assert.match(last, /connection: close/i, 'the response closes the connection');
    await closed;
    assert.ok(performance.now() - began > 900, 'the idle connection stayed open for a second');
    await stopped;
    const refused = connect(port, '127.0.0.1');
    const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNREFUSED');
  });
});
