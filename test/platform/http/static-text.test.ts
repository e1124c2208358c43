import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { addStaticText } from '#platform/http/static-text.ts';

const text = 'A mug, and another mug. '.repeat(100);

function serving(make: () => string | Promise<string> = () => text) {
  const app = Fastify();
  addStaticText(app, '/mugs', { contentType: 'text/plain; charset=utf-8', headers: { 'x-mug': 'yes' }, make });
  return (headers: Record<string, string> = {}) => app.inject({ url: '/mugs', headers });
}

describe('a static text', () => {
  it('is compressed if the client accepts it, with Vary and a separate ETag for each encoding', async () => {
    const get = serving();
    const brotli = await get({ 'accept-encoding': 'gzip, deflate, br' });
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), text);
    const gzip = await get({ 'accept-encoding': 'gzip;q=0.8, br;q=0' });
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(gzip.rawPayload).toString(), text);
    const plain = await get();
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.body, text);
    for (const { headers } of [brotli, gzip, plain]) {
      assert.deepEqual(
        [headers['content-type'], headers['vary'], headers['cache-control'], headers['x-mug']],
        ['text/plain; charset=utf-8', 'Accept-Encoding', 'no-cache', 'yes'],
      );
    }
    assert.equal(new Set([brotli, gzip, plain].map(({ headers }) => headers['etag'])).size, 3);
  });

  it('is answered with 304 if the request has its current ETag', async () => {
    const get = serving();
    const { etag } = (await get({ 'accept-encoding': 'br' })).headers;
    const again = await get({ 'accept-encoding': 'br', 'if-none-match': String(etag) });
    assert.deepEqual([again.statusCode, again.body, again.headers['etag']], [304, '', etag]);
    assert.equal((await get({ 'accept-encoding': 'br', 'if-none-match': '"another"' })).statusCode, 200);
  });

  it('is generated once for concurrent requests, and again after a failure', async () => {
    let made = 0;
    const get = serving(() => {
      made += 1;
      if (made === 1) throw new Error('not yet');
      return text;
    });
    assert.equal((await get()).statusCode, 500);
    const replies = await Promise.all([get(), get({ 'accept-encoding': 'gzip' }), get({ 'accept-encoding': 'br' })]);
    assert.deepEqual(
      replies.map(({ statusCode }) => statusCode),
      [200, 200, 200],
    );
    assert.equal(made, 2);
  });
});
