import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { runCommand } from '../support/process.ts';
import { startService, type TestService } from '../support/service.ts';
import { eventOf, SECRET, signBody } from '../support/stripe.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('whence connect', () => {
  let service: TestService;
  let settings: Readonly<Record<string, string>>;
  before(async () => {
    service = await startService();
    settings = {
      DATABASE_URL: service.databaseUrl,
      WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY,
      PUBLIC_URL: 'https://whence.example',
    };
  });
  after(() => service.stop());

  it('prints the URL and the events, reads the secret, and ends when the first event arrives', async () => {
    const child = spawn(process.execPath, ['src/cli.js', 'connect', 'stripe', '--name', 'Shop'], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    });
    const closed = once(child, 'close') as Promise<[number | null]>;
    child.stdin.end(`${SECRET}\n`);
    let printed = '';
    let id: string | undefined;
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      if (id !== undefined || !printed.includes('Waiting')) continue;
      id = /https:\/\/whence\.example\/v1\/connectors\/(\d+)\/webhook/.exec(printed)?.[1];
      assert.ok(id !== undefined, printed);
      const body = JSON.stringify(eventOf('plan.created', { id: 'x' }));
      const headers = { 'stripe-signature': signBody(body) };
      assert.equal((await service.request('POST', `/v1/connectors/${id}/webhook`, { body, headers })).status, 200);
    }
    assert.equal((await closed)[0], 0);
    assert.match(printed, /^ {2}invoice_payment\.paid$/m);
    assert.match(printed, /^The first event has arrived: plan\.created\.$/m);
    assert.ok(!printed.includes(SECRET));
    const audit = await service.request('GET', '/v1/audit-entries?operation=createConnector', {
      key: service.secretKey,
    });
    assert.equal((audit.body as { author: string }[])[0]?.author, 'command line');
  });

  it('explains a missing encryption key and an unknown organization', async () => {
    const { WHENCE_ENCRYPTION_KEY: _, ...without } = settings;
    const lost = await runCommand(['connect', 'stripe'], { ...without, WHENCE_DATA_DIR: '/nowhere' });
    assert.deepEqual(
      [lost.code, lost.printed.split('. ')[0]],
      [1, 'There is no encryption key in /nowhere/encryption.key'],
    );
    const unknown = await runCommand(['connect', 'stripe', '--organization', '99'], settings);
    assert.match(unknown.printed, /^There is no organization 99/);
  });

  it('refuses a text that is too short for a secret', async () => {
    const child = spawn(process.execPath, ['src/cli.js', 'connect', 'stripe', '--name', 'Short'], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    });
    const closed = once(child, 'close') as Promise<[number | null]>;
    child.stdin.end('hello\n');
    let printed = '';
    for await (const chunk of child.stdout) printed += String(chunk);
    assert.equal((await closed)[0], 1, printed);
    assert.match(
      printed,
      /^The signing secret was not saved, because it must have 8 to 255 characters\. Connector \d+ has no secret yet\./m,
    );
  });

  it('names the plugin for Medusa, and no events, because the plugin chooses them', async () => {
    const { printed } = await runCommand(['connect', 'medusa'], settings);
    assert.match(printed, /^Medusa has no webhooks\. Install the plugin @whence\/medusa/);
    assert.doesNotMatch(printed, /order\.updated/);
  });

  it('creates no connector if --mode is not the mode of the organization', async () => {
    const { code, printed } = await runCommand(['connect', 'stripe', '--mode', 'test'], settings);
    assert.equal(code, 1);
    assert.match(printed, /^This organization is live, so its connectors accept live events only\./);
  });

  it('leaves the connector without a secret if no secret is entered', async () => {
    const { code, printed } = await runCommand(['connect', 'stripe', '--mode', 'live'], settings);
    assert.equal(code, 0, printed);
    assert.match(
      printed,
      /^Connector \d+ has no secret yet\. Set it with POST \/v1\/connectors\/\d+\/rotate-secret\.$/m,
    );
  });
});
