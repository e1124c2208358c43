import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { it } from 'node:test';
import { createDatabase } from '#test/support/database.ts';
import { ENCRYPTION_KEY } from '#test/support/encryption-key.ts';
import { runCommand, startProcess } from '#test/support/process.ts';

it('whence start: if the port is taken on the first start, prints the error and the created keys', async () => {
  const { url, drop } = await createDatabase();
  const neighbour = createServer().listen(0, '127.0.0.1');
  await once(neighbour, 'listening');
  try {
    const settings = { DATABASE_URL: url, WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY, LOG_LEVEL: 'error' };
    const port = String((neighbour.address() as AddressInfo).port);
    const failed = await runCommand(['start'], { ...settings, PORT: port });
    assert.equal(failed.code, 1, failed.printed);
    assert.match(failed.printed, /address already in use .*Set PORT to another port\./);
    const key = /sk_live_\S+/.exec(failed.printed)?.[0];

    const service = await startProcess({ ...settings, PORT: '0' });
    const answer = await fetch(`${service.url}/v1/organization`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(answer.status, 200);
    assert.doesNotMatch(service.printed(), /sk_live_|pk_live_/);
    service.signal('SIGTERM');
    assert.equal(await service.exited, 0);
  } finally {
    neighbour.close();
    await drop();
  }
});
