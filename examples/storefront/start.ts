// npm run storefront: starts a shop on port 3000 with its own Whence on port 8081, and prints a partner link.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Whence } from '@whence/sdk';
import { Orders } from './orders.ts';
import { createShop } from './shop.ts';

const SHOP_PORT = Number(process.env['SHOP_PORT'] ?? 3000);
const WHENCE_PORT = Number(process.env['WHENCE_PORT'] ?? 8081);
const PAUSE_MS = 1_000;

const keys = { secret: newKey('sk_live_'), publishable: newKey('pk_live_') };
const dataDir = mkdtempSync(join(tmpdir(), 'whence-storefront-'));
const service = spawn(process.execPath, [fileURLToPath(new URL('../../src/cli.js', import.meta.url)), 'start'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    PORT: String(WHENCE_PORT),
    // Use the embedded database, and ignore the settings of any other installation.
    DATABASE_URL: '',
    DATABASE_OWNER_URL: '',
    DATABASE_READ_URL: '',
    DATABASE_POOLER: '',
    WHENCE_ENCRYPTION_KEY: '',
    WHENCE_ROLE: '',
    HEADER_PREFIX: '',
    BASE_PATH: '',
    SMTP_URL: '',
    WHENCE_DATA_DIR: dataDir,
    WHENCE_SECRET_KEY: keys.secret,
    WHENCE_PUBLISHABLE_KEY: keys.publishable,
    LOG_LEVEL: 'warn',
  },
});
const ended = once(service, 'exit');
const whenceUrl = `http://127.0.0.1:${WHENCE_PORT}`;
const whence = new Whence({ baseUrl: whenceUrl, apiKey: keys.secret });
const orders = new Orders(whence);
const shop = createShop({ orders, snippet: { whenceUrl, publishableKey: keys.publishable } });
let isOpen = true;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.kill('SIGTERM'));

try {
  await once(shop.listen(SHOP_PORT, '127.0.0.1'), 'listening');
  console.log('Starting Whence …');
  await ready();
  await whence.programs.create({
    name: 'Friends of the shop',
    reward: { type: 'percent', percent: 10 },
    autoApprove: true,
  });
  await whence.collaborators.create({ name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] });
  void reportRegularly();
  console.log(`
The shop is open. Follow Ada's link, buy something, then refund it:

  http://127.0.0.1:${SHOP_PORT}/?ref=ada

  Whence      ${whenceUrl}/docs
  Secret key  ${keys.secret}

Press Ctrl-C to stop both. No data is kept.`);
  await ended;
} catch (error) {
  console.error(`${(error as Error).message} (To use other ports, set SHOP_PORT and WHENCE_PORT.)`);
  process.exitCode = 1;
} finally {
  isOpen = false;
  service.kill('SIGTERM');
  await ended;
  shop.close();
  shop.closeAllConnections();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Reports orders repeatedly until the shop closes. Each round starts PAUSE_MS after the previous round has ended. */
async function reportRegularly(): Promise<void> {
  while (isOpen) {
    await orders.reportToWhence();
    await setTimeout(PAUSE_MS);
  }
}

function newKey(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * Waits until the started process prints that it is ready. A request to the port wouldn't be enough, because another
 * Whence might be listening there. Throws an error if the process ends first.
 */
async function ready(): Promise<void> {
  for await (const line of createInterface({ input: service.stdout })) {
    if (!line.includes('Whence is ready')) continue;
    // Nothing reads the later output. Discard it so that the pipe doesn't fill up.
    service.stdout.resume();
    return;
  }
  throw new Error('Whence did not start. Its output above shows why.');
}
