import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startBuyers } from '#test/support/buyers.ts';
import { openCaller } from '#test/support/caller.ts';
import { runCommand, type ServiceProcess, startProcess } from '#test/support/process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

const KEY = `sk_live_${'k'.repeat(43)}`;

describe('a backup of the embedded database, taken under load and restored elsewhere', () => {
  let folder: string;
  let file: string;
  const started: ServiceProcess[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whence-back-ups-'));
    file = join(folder, 'today.whence');
  });
  after(async () => {
    for (const { signal } of started) signal('SIGKILL');
    await Promise.all(started.map(({ exited }) => exited));
    await rm(folder, { recursive: true, force: true });
  });

  const settingsOf = (name: string) => ({ WHENCE_DATA_DIR: join(folder, name) });

  async function start(name: string): Promise<ServiceProcess> {
    const service = await startProcess({ ...settingsOf(name), WHENCE_SECRET_KEY: KEY });
    started.push(service);
    return service;
  }

  async function withShop(url: string, work: (shop: Shop) => Promise<void>): Promise<void> {
    const { send: request, leave } = openCaller(url);
    await work(openShop({ request, secretKey: KEY, settled: async () => {} }));
    leave();
  }

  it('contains every sale that was acknowledged before the backup, and the restored service accepts new sales', async () => {
    const lost = await start('lost');
    await withShop(lost.url, async (shop) => {
      await shop.program({ autoApprove: true });
      await shop.collaborator('first');
    });
    const buyers = startBuyers(lost.url, KEY, 'before');
    await buyers.until(10);
    const acknowledged = [...buyers.sold];
    const written = await runCommand(['backup', file], settingsOf('lost'));
    assert.equal(written.code, 0, written.printed);
    assert.match(
      written.printed,
      /^Wrote \d+ rows of \d+ tables to .*today\.whence \(\d+\.\d MB\), at version \d+\.$/m,
    );
    assert.ok(written.printed.includes(`Keep it in a separate place: ${join(folder, 'lost', 'encryption.key')}.`));
    await buyers.end();
    lost.signal('SIGKILL');
    await lost.exited;

    const restored = await runCommand(['restore', file], settingsOf('found'));
    assert.equal(restored.code, 0, restored.printed);
    const proven = await runCommand(['verify'], settingsOf('found'));
    assert.match(proven.printed, /^All \d+ invariants hold\.$/m);

    const found = await start('found');
    await withShop(found.url, async (shop) => {
      for (const id of acknowledged) await shop.transactionOf(id);
    });
    const others = startBuyers(found.url, KEY, 'after');
    await others.until(10);
    await others.end();
    found.signal('SIGTERM');
    assert.equal(await found.exited, 0, found.printed());
  });

  it('overwrites no existing file, and is not restored into a non-empty database', async () => {
    const again = await runCommand(['backup', file], settingsOf('found'));
    assert.deepEqual(again, {
      code: 1,
      printed: `${file} already exists and isn’t overwritten. Name another file.\n`,
    });
    const over = await runCommand(['restore', file], settingsOf('found'));
    assert.deepEqual(over, {
      code: 1,
      printed: 'The database isn’t empty, and restoring doesn’t overwrite data. Restore into a new database.\n',
    });
  });
});
