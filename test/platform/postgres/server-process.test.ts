import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { runAs } from '#platform/postgres/embedded/account.ts';
import { stopServer } from '#platform/postgres/embedded/server-process.ts';

describe('the embedded server process', { skip: process.platform === 'win32' }, () => {
  /** Starts a stand-in for PostgreSQL that runs `onInterrupt` on SIGINT. Resolves once it handles signals. */
  async function started(onInterrupt: string) {
    const script = `process.on('SIGINT', () => { ${onInterrupt} }); console.log('ready'); process.stdin.resume()`;
    const server = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    await once(server.stdout, 'data');
    return server;
  }

  it('a server that does not shut down in time is ended with SIGQUIT', async () => {
    const server = await started('');
    await stopServer(server, 50);
    assert.equal(server.signalCode, 'SIGQUIT');
  });

  it('the server inherits only PATH from the environment of the service', () => {
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

  it('a server that shuts down in time gets no further signal', async () => {
    const server = await started('process.exit(0)');
    await stopServer(server, 60_000);
    assert.equal(server.exitCode, 0);
    await stopServer(server, 60_000);
  });
});
