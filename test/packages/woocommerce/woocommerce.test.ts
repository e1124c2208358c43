import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { recordedOrder, signatureOf, type Order } from '#test/connectors/woocommerce-orders.ts';
import { type ConnectedShop, openConnectedShop } from '#test/support/connected-shop.ts';
import { WOOCOMMERCE_TOPICS } from '#connectors/domain/woocommerce/translator.ts';
import { DEFAULTS } from '../../../packages/browser/src/options.ts';
import { CUSTOMER, openStandInShop, PLUGIN, type Settings, type StandInShop, WITHOUT_PHP } from './stand-in-shop.ts';

/* Runs the PHP plugin with a stand-in for WordPress and WooCommerce, and with a real Whence service. */

const COOKIE = `${DEFAULTS.prefix}oid`;
const SECRET = 'f3-Kq"9w<b>2%41rT\'x';
const CHECKOUTS = ['checkout', 'store-api/checkout'] as const;

describe('the WooCommerce plugin', { skip: WITHOUT_PHP }, () => {
  let whence: ConnectedShop<Order>;
  let key: string;
  let settings: Settings;
  let shop: StandInShop;
  before(async () => {
    whence = await openConnectedShop({
      kind: 'woocommerce',
      secret: SECRET,
      program: { reward: { type: 'percent', percent: 10 } },
      sign: (order) => {
        const body = JSON.stringify(order);
        return { body, headers: { 'x-wc-webhook-signature': signatureOf(body, SECRET) } };
      },
    });
    key = whence.service.publishableKey;
    const [connector] = await whence.shop.get<{ webhookUrl: string }[]>('/v1/connectors');
    settings = { webhook_url: whence.service.url + new URL(connector!.webhookUrl).pathname, secret: SECRET };
    shop = await openStandInShop();
  });
  after(async () => {
    await shop.stop();
    await whence.stop();
  });
  beforeEach(() => shop.plugin('uninstall'));

  it('has valid syntax', async () => {
    await promisify(execFile)('php', ['-l', PLUGIN]);
  });

  for (const [index, checkout] of CHECKOUTS.entries()) {
    it(`an order from /${checkout} with the visitor’s cookie credits the collaborator who referred the visitor`, async () => {
      await shop.save(settings);
      const metadata = await shop.order(checkout, `theme=dark; ${COOKIE}=${whence.oid}`);
      assert.deepEqual(metadata, { _whence: whence.oid });
      const id = index + 1;
      const [[metaKey, value] = []] = Object.entries(metadata);
      const order = recordedOrder('727-processing', { id, meta_data: [{ id: 1, key: metaKey, value }] });
      assert.deepEqual(await shop.deliver(order), [200]);
      await whence.service.settled();
      assert.deepEqual(await whence.earned(String(id)), [[whence.ada, 180]]);
    });

    it(`stores no tracking id with an order from /${checkout} without a valid cookie`, async () => {
      const invalid = ['', '0', '012', '12x', '-1', '1.5', '1e3', '12345678901234567', '12%0A', '%3Cb%3E', `12\\'`];
      for (const value of invalid) assert.deepEqual(await shop.order(checkout, `${COOKIE}=${value}`), {}, value);
      assert.deepEqual(await shop.order(checkout, `${COOKIE}[]=12`), {});
      assert.deepEqual(await shop.order(checkout, 'other=12'), {});
      assert.deepEqual(await shop.order(checkout), {});
    });
  }

  it('reports an order without a tracking id as a sale without a referral', async () => {
    await shop.save(settings);
    assert.deepEqual(await shop.deliver(recordedOrder('727-processing', { id: 9, meta_data: [] })), [200]);
    await whence.service.settled();
    assert.deepEqual(await whence.earned('9'), []);
  });

  it('creates exactly one active webhook for each topic, even if the settings are saved again', async () => {
    for (let times = 1; times <= 3; times++) {
      const page = await shop.save(settings);
      assert.match(page.text, /The settings are saved\. WooCommerce sends orders to Whence\./);
      const webhooks = await shop.webhooks();
      assert.deepEqual(
        webhooks.map(({ id, topic }) => [id, topic]),
        WOOCOMMERCE_TOPICS.map((topic, index) => [index + 1, topic]),
      );
      for (const webhook of webhooks) {
        const { delivery_url, secret, status, user_id } = webhook;
        assert.deepEqual(
          { delivery_url, secret, status, user_id },
          { delivery_url: settings.webhook_url, secret: SECRET, status: 'active', user_id: 1 },
        );
      }
    }
  });

  it('changes its webhooks when the settings change', async () => {
    await shop.save(settings);
    const other = settings.webhook_url.replace(/\d+\/webhook$/, '12/webhook');
    const page = await shop.save({ webhook_url: other, secret: 'another-secret' });
    assert.match(page.text, /did not accept a test message\. .* response code: 404/);
    const webhooks = await shop.webhooks();
    assert.equal(webhooks.length, WOOCOMMERCE_TOPICS.length);
    for (const { delivery_url, secret } of webhooks)
      assert.deepEqual([delivery_url, secret], [other, 'another-secret']);
  });

  it('enables webhooks that WooCommerce disabled, and recreates deleted webhooks, when the settings are saved', async () => {
    await shop.save(settings);
    await shop.saveWebhook({ id: 2, status: 'disabled', failure_count: 6 });
    assert.match((await shop.settingsPage()).text, /WooCommerce has disabled webhooks/);
    await shop.save(settings);
    assert.doesNotMatch((await shop.settingsPage()).text, /WooCommerce has disabled webhooks/);
    const enabled = await shop.webhooks();
    assert.deepEqual(
      enabled.map(({ status, failure_count }) => [status, failure_count]),
      WOOCOMMERCE_TOPICS.map(() => ['active', 0]),
    );
    await shop.deleteWebhooks();
    await shop.save(settings);
    assert.equal((await shop.webhooks()).length, WOOCOMMERCE_TOPICS.length);
  });

  it('reuses webhooks that a person created for the same URL, and leaves other webhooks unchanged', async () => {
    const { webhook_url: url } = settings;
    await shop.saveWebhook({ topic: 'order.updated', delivery_url: 'https://other.example/', name: 'Other' });
    await shop.saveWebhook({ topic: 'order.updated', delivery_url: url });
    await shop.saveWebhook({ topic: 'order.updated', delivery_url: url });
    await shop.save(settings);
    const webhooks = await shop.webhooks();
    assert.equal(webhooks.filter(({ delivery_url }) => delivery_url === url).length, WOOCOMMERCE_TOPICS.length);
    await shop.plugin('deactivate');
    assert.deepEqual(
      (await shop.webhooks()).map(({ name, status }) => [name, status]),
      [['Other', 'disabled']],
    );
    await shop.deleteWebhooks();
  });

  it('deletes its webhooks when it is deactivated, and recreates them when it is activated again', async () => {
    await shop.save({ ...settings, publishable_key: key });
    await shop.plugin('deactivate');
    assert.deepEqual(await shop.webhooks(), []);
    await shop.plugin('activate');
    assert.equal((await shop.webhooks()).length, WOOCOMMERCE_TOPICS.length);
    await shop.plugin('uninstall');
    await shop.plugin('activate');
    assert.deepEqual(await shop.webhooks(), []);
    assert.equal(await shop.head(), '');
  });

  it('saves no settings without the permission or without a valid nonce', async () => {
    const refused: [{ user?: number; nonce?: string }, string][] = [
      [{ user: CUSTOMER }, 'You are not allowed to change these settings. Log in as a shop manager.'],
      [{ user: 0 }, 'You are not allowed to change these settings. Log in as a shop manager.'],
      [{ nonce: '' }, 'The link you followed has expired.'],
      [{ nonce: await shop.nonce(CUSTOMER) }, 'The link you followed has expired.'],
    ];
    for (const [as, text] of refused) {
      assert.deepEqual(await shop.save(settings, as), { status: 403, text });
      assert.deepEqual(await shop.webhooks(), []);
    }
    assert.match((await shop.settingsPage()).text, /<input type="hidden" name="_wpnonce" value="\w+">/);
    assert.equal((await shop.settingsPage(CUSTOMER)).status, 403);
    await shop.save(settings);
    assert.doesNotMatch((await shop.settingsPage(CUSTOMER)).text, /f3-Kq/);
  });

  it('refuses invalid settings, and shows them in the form again', async () => {
    const invalid: [Partial<Settings>, RegExp][] = [
      [{ webhook_url: '' }, /The webhook URL is invalid/],
      [{ webhook_url: 'https://whence.example.com' }, /The webhook URL is invalid/],
      [{ webhook_url: 'ftp://whence.example.com/v1/connectors/1/webhook' }, /The webhook URL is invalid/],
      [{ webhook_url: 'https://whence.example.com/"><b>/v1/connectors/1/webhook' }, /The webhook URL is invalid/],
      [{ secret: 'short' }, /The secret is invalid/],
      [{ secret: 'with a space' }, /The secret is invalid/],
      [{ secret: 'fish&amp;chips' }, /The secret is invalid/],
      [{ publishable_key: whence.service.secretKey }, /The publishable key is invalid/],
      [{ publishable_key: '"><script>' }, /The publishable key is invalid/],
    ];
    for (const [change, message] of invalid) {
      const { text } = await shop.save({ ...settings, ...change });
      assert.match(text, message);
      assert.doesNotMatch(text, /"><(b|script)>/);
      const [[name, value] = []] = Object.entries(change);
      const shown = new RegExp(`name="${name}"[^>]*\\svalue="([^"]*)"`).exec(text)?.[1];
      assert.equal(shown, value?.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
      assert.deepEqual(await shop.webhooks(), []);
    }
  });

  it('requires an https webhook URL in production', async () => {
    const production = await openStandInShop('production');
    try {
      assert.match((await production.save(settings)).text, /The webhook URL is invalid\. .* begins with https:/);
      assert.deepEqual(await production.webhooks(), []);
    } finally {
      await production.stop();
    }
  });

  it('shows an error if the connector has no secret', async () => {
    const { service } = whence;
    const created = await service.request('POST', '/v1/connectors', {
      key: service.secretKey,
      body: { kind: 'woocommerce', name: 'New' },
    });
    const { id } = created.body as { id: number };
    const { text } = await shop.save({
      ...settings,
      webhook_url: settings.webhook_url.replace(/\d+\/webhook$/, `${id}/webhook`),
    });
    assert.match(text, /enter the secret in the connector\. .* response code: 401/);
  });

  it('generates a secret when it is activated, and keeps it until another secret is saved', async () => {
    const shown = async () => /name="secret"[^>]*\svalue="([^"]*)"/.exec((await shop.settingsPage()).text)?.[1] ?? '';
    assert.equal(await shown(), '');
    await shop.plugin('activate');
    assert.deepEqual(await shop.webhooks(), []);
    const secret = await shown();
    assert.match(secret, /^\w{48}$/);
    await shop.plugin('deactivate');
    await shop.plugin('activate');
    assert.equal(await shown(), secret);
    await shop.save(settings);
    await shop.plugin('activate');
    assert.notEqual(await shown(), secret);
  });

  it('adds the snippet to pages only if there is a publishable key', async () => {
    await shop.save(settings);
    assert.equal(await shop.head(), '');
    await shop.save({ ...settings, publishable_key: key });
    const src = `${whence.service.url}/whence.js`;
    assert.equal(await shop.head(), `<script async src="${src}" data-key="${key}"></script>\n`);
    assert.equal((await fetch(src)).status, 200);
    await shop.save({ ...settings, publishable_key: key, needs_consent: '1' });
    assert.match(await shop.head(), / data-consent="required">/);
  });

  it('declares support for custom order tables and the checkout block', async () => {
    assert.deepEqual(await shop.features(), { custom_order_tables: true, cart_checkout_blocks: true });
  });
});
