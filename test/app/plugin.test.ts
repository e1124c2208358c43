import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';
import { startService, type TestService } from '../support/service.ts';

const PATH = '/whence-woocommerce.zip';

describe('the WooCommerce plugin for download', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ BASE_PATH: '/whence' });
  });
  after(() => service.stop());

  it('is an archive with the plugin in a folder', async () => {
    const reply = await fetch(`${service.url}${PATH}`);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('content-type'), 'application/zip');
    const file = onlyFileOf(Buffer.from(await reply.arrayBuffer()));
    assert.equal(file.path, 'whence/whence.php');
    assert.deepEqual(file.content, readFileSync(new URL('../../packages/woocommerce/whence.php', import.meta.url)));
  });

  it('can be read with GET and HEAD only', async () => {
    const reply = await service.request('POST', PATH);
    assert.deepEqual([reply.status, reply.headers.get('allow')], [405, 'GET, HEAD']);
  });
});

/**
 * Returns the only file of a ZIP archive. Finds the file through the directory at the end of the archive, as unpackers
 * do.
 */
function onlyFileOf(archive: Buffer): { readonly path: string; readonly content: Buffer } {
  const end = archive.subarray(-22);
  assert.equal(end.readUInt32LE(0), 0x06054b50);
  assert.equal(end.readUInt16LE(10), 1, 'one file');
  const directory = archive.subarray(end.readUInt32LE(16), -22);
  assert.equal(directory.length, end.readUInt32LE(12));
  assert.equal(directory.readUInt32LE(0), 0x02014b50);
  const file = archive.subarray(directory.readUInt32LE(42));
  assert.equal(file.readUInt32LE(0), 0x04034b50);
  assert.deepEqual(file.subarray(4, 30), directory.subarray(6, 32), 'both headers of the file are the same');
  const start = 30 + file.readUInt16LE(26);
  const content = inflateRawSync(file.subarray(start, start + file.readUInt32LE(18)));
  assert.equal(content.length, file.readUInt32LE(22));
  assert.equal(crc32(content), file.readUInt32LE(14));
  return { path: file.toString('utf8', 30, start), content };
}
