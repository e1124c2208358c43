import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { exchange } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';

const LIMIT_BYTES = 3_000;
const FILES = ['/whence.js', '/whence.mjs'];

describe('the browser script', () => {
  let service: TestService;
  let renamed: TestService;
  before(async () => {
    service = await startService();
    renamed = await startService({ HEADER_PREFIX: 'X-Acme', BASE_PATH: '/whence' });
  });
  after(async () => {
    await service.stop();
    await renamed.stop();
  });

  for (const file of FILES) {
    it(`${file} is smaller than 3 kB when compressed`, async () => {
      const { text } = await service.request('GET', file);
      const bytes = gzipSync(text, { level: 6 }).length;
      assert.ok(bytes < LIMIT_BYTES, `${bytes} bytes`);
    });

    it(`${file} can be loaded from any origin, and is cached for an hour with an ETag`, async () => {
      const { status, headers } = await service.request('GET', file, { headers: { origin: 'https://shop.example' } });
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
      assert.equal(headers.get('cache-control'), 'public, max-age=3600, stale-while-revalidate=604800');
      const again = await service.request('GET', file, { headers: { 'if-none-match': headers.get('etag') as string } });
      assert.deepEqual([again.status, again.text], [304, '']);
    });

    it(`${file} uses the service’s own header prefix`, async () => {
      const { text } = await renamed.request('GET', file);
      assert.match(text, /X-Acme/);
      assert.doesNotMatch(text, /X-Service/);
      assert.match((await service.request('GET', file)).text, /X-Service/);
    });
  }

  it('is compressed only for clients that accept it', async () => {
    const { host } = new URL(service.url);
    const ask = `GET /whence.js HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`;
    const { text } = await exchange(service.url, ask);
    assert.match(text, /content-encoding: gzip/i);
    const answer = await fetch(`${service.url}/whence.js`, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(answer.headers.get('content-encoding'), null);
    assert.equal(Buffer.byteLength(await answer.text()), Number(answer.headers.get('content-length')));
  });

  it('can be read with GET and HEAD only', async () => {
    const reply = await service.request('POST', '/whence.js');
    assert.deepEqual([reply.status, reply.headers.get('allow')], [405, 'GET, HEAD']);
  });
});
