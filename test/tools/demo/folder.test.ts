import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DemoRefused, markFilled, prepareFolder } from '#tools/demo/folder.ts';

const KEYS = { secretKey: 'sk_live_x', publishableKey: 'pk_live_x' };

describe('the demo folder', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'whence-demo-'));
  });
  after(() => rmSync(root, { recursive: true }));

  it('is created if missing, and reused once it is filled', async () => {
    const folder = join(root, 'new', 'demo');
    assert.equal(await prepareFolder(folder, false), undefined);
    await markFilled(folder, KEYS);
    writeFileSync(join(folder, 'data'), 'x');
    assert.deepEqual(await prepareFolder(folder, false), KEYS);
    assert.deepEqual(readdirSync(folder).sort(), ['data', 'demo.json']);
    if (process.platform !== 'win32') assert.equal(statSync(join(folder, 'demo.json')).mode & 0o077, 0);
  });

  it('is emptied after an unfinished start, or on request', async () => {
    for (const isAnew of [false, true]) {
      const folder = join(root, `again-${isAnew}`);
      await prepareFolder(folder, false);
      if (isAnew) await markFilled(folder, KEYS);
      writeFileSync(join(folder, 'data'), 'x');
      assert.equal(await prepareFolder(folder, isAnew), undefined);
      assert.equal(existsSync(join(folder, 'data')), false);
    }
  });

  it('is refused if it contains other files', async () => {
    const folder = join(root, 'mine');
    mkdirSync(folder);
    writeFileSync(join(folder, 'password'), 'x');
    for (const isAnew of [false, true]) await assert.rejects(prepareFolder(folder, isAnew), DemoRefused);
    assert.deepEqual(readdirSync(folder), ['password']);
  });
});
