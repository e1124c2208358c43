import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_BYTES_SENT, MAX_BYTES_SENT_OF_ALL, sharedFiles, type TakeFile } from '#app/pages/shared-files.ts';
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

/** Returns a function that sends files. If no network is given, each file is sent to another network. */
function sendWith(takeFile: TakeFile): (file: StoredFile, network?: string, end?: () => void) => ReturnType<TakeFile> {
  let networks = 0;
  return (file, network = `network ${(networks += 1)}`, end = () => {}) => takeFile(file, { network, end });
}

describe('downloaded files in memory', () => {
  it('are shared by concurrent downloads, and use at most 32 MiB per organization', async () => {
    const reads: string[] = [];
    const take = sendWith(
      sharedFiles(async (key) => {
        reads.push(key);
        return Buffer.from(key);
      }),
    );
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
    const take = sendWith(
      sharedFiles(async (key) => {
        reads.push(key);
        return Buffer.from(key);
      }),
    );
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) {
      const taken = await take(fileOf(key));
      if (taken.kind === 'ready') taken.release();
    }
    assert.deepEqual(reads, ['a', 'b', 'c', 'b'], 'c replaced b');
  });

  it('free their memory if the stored file is missing or can’t be read', async () => {
    const outcomes = [async () => undefined, () => Promise.reject(new Error('down')), async () => Buffer.from('x')];
    const take = sendWith(sharedFiles(() => (outcomes.shift() ?? assert.fail())()));
    const whole = (key: string) => take(fileOf(key, 1, MAX_BYTES_SENT));
    assert.equal((await whole('a')).kind, 'gone');
    await assert.rejects(whole('b'), /down/);
    assert.equal((await whole('c')).kind, 'ready');
  });

  it('are no longer sent to the network with the most bytes if a file for a network with fewer bytes does not fit', async () => {
    const take = sendWith(sharedFiles(async (key) => Buffer.from(key)));
    const ended: string[] = [];
    const send = (key: string, network: string) =>
      take(fileOf(key, 1, MAX_BYTES_SENT / 8), network, () => ended.push(`${key} to ${network}`));
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await send(key, 'slow');
    for (const key of ['a', 'g', 'h']) await send(key, 'quick');
    assert.deepEqual(ended, []);
    assert.equal((await send('i', 'slow')).kind, 'full');
    assert.equal((await send('i', 'new')).kind, 'ready');
    // The first file stays in memory for the other network, so the second one is ended as well.
    assert.deepEqual(ended, ['a to slow', 'b to slow']);
    assert.equal((await send('j', 'quick')).kind, 'full', 'no network is sent more than the quick one would be');
  });

  it('make room in less than half a second, even if a thousand networks hold two files each', async () => {
    const take = sendWith(sharedFiles(async (key) => Buffer.from(key)));
    for (let n = 0; n < 1_000; n += 1)
      for (const key of [n % 16, (n + 1) % 16]) await take(fileOf(`file ${key}`, 1, MAX_BYTES_SENT / 16), `slow ${n}`);
    const started = process.cpuUsage();
    assert.equal((await take(fileOf('another', 1, MAX_BYTES_SENT / 16), 'new')).kind, 'ready');
    const { user, system } = process.cpuUsage(started);
    assert.ok(
      user + system < 500_000,
      `It took ${(user + system) / 1_000} ms of processor time, instead of about 20 ms.`,
    );
  });

  it('use at most 128 MiB for all organizations together', async () => {
    const take = sendWith(sharedFiles(async (key) => Buffer.from(key)));
    const count = MAX_BYTES_SENT_OF_ALL / MAX_BYTES_SENT;
    for (let n = 1; n <= count; n += 1) {
      assert.equal((await take(fileOf(`file ${n}`, n, MAX_BYTES_SENT), 'slow')).kind, 'ready');
    }
    assert.equal((await take(fileOf('another', count + 1, MAX_BYTES_SENT), 'slow')).kind, 'full');
    assert.equal((await take(fileOf('another', count + 1, MAX_BYTES_SENT), 'new')).kind, 'ready');
  });
});
