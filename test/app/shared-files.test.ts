import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_BYTES_SENT, sharedFiles } from '#app/pages/shared-files.ts';
import type { OrganizationId } from '#core/ids.ts';
import type { StoredFile } from '#materials/store/materials.ts';

const fileOf = (key: string, organization = 1, bytes = MAX_BYTES_SENT / 2): StoredFile => ({
  organizationId: organization as OrganizationId,
  key,
  name: `${key}.png`,
  type: 'image/png',
  hash: Buffer.from(key),
  bytes,
});

describe('downloaded files in memory', () => {
  it('are shared by concurrent downloads, and use at most 32 MiB per organization', async () => {
    const reads: string[] = [];
    const take = sharedFiles(async (key) => {
      reads.push(key);
      return Buffer.from(key);
    });
    const taken = await Promise.all(['a', 'a', 'b'].map((key) => take(fileOf(key))));
    const [first, second, third] = taken.map((each) => (each.kind === 'ready' ? each : assert.fail(each.kind)));
    assert.equal(first?.content, second?.content);
    assert.deepEqual(reads, ['a', 'b']);
    assert.equal((await take(fileOf('c'))).kind, 'full');
    assert.equal((await take(fileOf('a'))).kind, 'ready', 'a file that is already in memory');
    assert.equal((await take(fileOf('d', 2))).kind, 'ready', 'a file of another organization');
    third?.release();
    assert.equal((await take(fileOf('c'))).kind, 'ready');
    first?.release();
    assert.equal((await take(fileOf('b'))).kind, 'full', 'another response still sends the first file');
  });

  it('stay cached after a download, up to 32 MiB, and the file that was downloaded longest ago is dropped first', async () => {
    const reads: string[] = [];
    const take = sharedFiles(async (key) => {
      reads.push(key);
      return Buffer.from(key);
    });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) {
      const taken = await take(fileOf(key));
      if (taken.kind === 'ready') taken.release();
    }
    assert.deepEqual(reads, ['a', 'b', 'c', 'b'], 'c replaced b');
  });

  it('free their memory if the stored file is missing or can’t be read', async () => {
    const outcomes = [async () => undefined, () => Promise.reject(new Error('down')), async () => Buffer.from('x')];
    const take = sharedFiles(() => (outcomes.shift() ?? assert.fail())());
    const whole = (key: string) => take(fileOf(key, 1, MAX_BYTES_SENT));
    assert.equal((await whole('a')).kind, 'gone');
    await assert.rejects(whole('b'), /down/);
    assert.equal((await whole('c')).kind, 'ready');
  });
});
