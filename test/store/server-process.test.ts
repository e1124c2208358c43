import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { runAs } from '#store/embedded/account.ts';
import { end } from '#store/embedded/server-process.ts';

describe('a server', { skip: process.platform === 'win32' }, () => {
  /** Stands for a PostgreSQL: it says so once it listens to signals, and ends by SIGINT only where it is told to. */
  async function started(onInterrupt: string) {
    const script = `process.on('SIGINT', () => { ${onInterrupt} }); console.log('ready'); process.stdin.resume()`;
    const server = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    await once(server.stdout, 'data');
    return server;
  }

  it('that does not shut down in time is told to end at once', async () => {
    const server = await started('');
    await end(server, 50);
    assert.equal(server.signalCode, 'SIGQUIT');
  });

  it('gets nothing of our own environment, where secrets are', () => {
    process.env['WHENCE_TEST_SECRET'] = 'sk_live_secret';
    try {
      const itself = { command: [], spawnAs: {}, uid: 0, gid: 0 };
      const { file, args, options } = runAs(itself, '/usr/bin/env', [], { GIVEN: 'it' });
      const { stdout, status } = spawnSync(file, args, { ...options, encoding: 'utf8' });
      assert.equal(status, 0);
      const names = stdout
        .trim()
        .split('\n')
        .map((line) => line.split('=')[0]);
      assert.deepEqual(new Set(names), new Set(['GIVEN', 'LC_ALL', 'PATH']));
      assert.equal(options.cwd, '/');
    } finally {
      delete process.env['WHENCE_TEST_SECRET'];
    }
  });

  it('that shuts down is not told anything else', async () => {
    const server = await started('process.exit(0)');
    await end(server, 60_000);
    assert.equal(server.exitCode, 0);
    await end(server, 60_000);
  });
});
