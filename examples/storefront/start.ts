// npm run storefront: a shop on port 3000 with a Whence of its own on port 8081, and a referrer to try it with.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Whence } from '@whence/sdk';
import { Orders } from './orders.ts';
import { createShop } from './shop.ts';

const SHOP_PORT = Number(process.env['SHOP_PORT'] ?? 3000);
const WHENCE_PORT = Number(process.env['WHENCE_PORT'] ?? 8081);
const CATCH_UP_MS = 5_000;

const keys = { secret: newKey('sk_live_'), publishable: newKey('pk_live_') };
const dataDir = mkdtempSync(join(tmpdir(), 'whence-storefront-'));
const service = spawn(process.execPath, [fileURLToPath(new URL('../../src/cli.ts', import.meta.url)), 'start'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    PORT: String(WHENCE_PORT),
    DATABASE_URL: '',
    WHENCE_DATA_DIR: dataDir,
    WHENCE_SECRET_KEY: keys.secret,
    WHENCE_PUBLISHABLE_KEY: keys.publishable,
    LOG_LEVEL: 'warn',
  },
});
const ended = once(service, 'exit');
// Also where the shop fails: Whence must not stay behind.
process.once('exit', () => service.kill('SIGTERM'));
console.log('Starting Whence …');

const whenceUrl = `http://127.0.0.1:${WHENCE_PORT}`;
await ready(whenceUrl);

const whence = new Whence({ baseUrl: whenceUrl, apiKey: keys.secret });
await whence.programs.create({
  name: 'Friends of the shop',
  reward: { type: 'percent', percent: 10 },
  autoApprove: true,
});
await whence.collaborators.create({ name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] });

const orders = new Orders(whence);
const shop = createShop({ orders, snippet: { whenceUrl, publishableKey: keys.publishable } });
shop.listen(SHOP_PORT, '127.0.0.1');
await once(shop, 'listening');
const catchingUp = setInterval(() => void orders.catchUp(), CATCH_UP_MS);

console.log(`
The shop is open. Come by Ada's link, buy something, then refund it:

  http://127.0.0.1:${SHOP_PORT}/?ref=ada

  Whence      ${whenceUrl}/docs
  Secret key  ${keys.secret}

Ctrl-C ends both; nothing is kept.`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.kill('SIGTERM'));
await ended;
clearInterval(catchingUp);
shop.close();
shop.closeAllConnections();
rmSync(dataDir, { recursive: true, force: true });

function newKey(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

async function ready(url: string): Promise<void> {
  while (service.exitCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Whence did not start; its log above says why.');
}
