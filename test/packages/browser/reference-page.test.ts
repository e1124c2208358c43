import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { launchBrowser, type OpenPage, type TestBrowser } from '../../support/browser.ts';
import { startService, type TestService } from '../../support/service.ts';

describe('the API reference page', () => {
  let service: TestService;
  let browser: TestBrowser;
  let origin: string;
  before(async () => {
    service = await startService({ HEADER_PREFIX: 'X-Acme', BASE_PATH: '/whence' });
    browser = await launchBrowser();
    origin = new URL(service.url).origin;
    const body = { name: 'Friends of mugs', reward: { type: 'percent', percent: 10 } };
    await service.request('POST', '/v1/programs', { key: service.secretKey, body });
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  it('shows the groups of API calls and the service’s address, and contacts no other host', async () => {
    const open = await opened();
    const { page } = open;
    await page.getByRole('heading', { name: 'Whence', exact: true }).waitFor();
    for (const group of ['Events', 'Programs', 'Payouts', 'Ledger']) {
      await page.locator(`a[href$="#tag/${group.toLowerCase()}"]`).first().waitFor();
    }
    await page.getByText('X-Acme-OID').first().waitFor();
    await page.getByText(`${origin}/whence`).first().waitFor();
    assert.deepEqual(open.faults, []);
    assert.deepEqual(open.requestsBeyond(origin), []);
    assert.deepEqual(await overflow(open), 0);
    await open.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`fits a phone in the ${colorScheme} color scheme`, async () => {
      const open = await opened('', { viewport: { width: 390, height: 844 }, colorScheme });
      await open.page.getByRole('heading', { name: 'Whence', exact: true }).waitFor();
      assert.equal(await overflow(open), 0);
      const isDark = await open.page.locator('body.dark-mode').count();
      assert.equal(isDark, colorScheme === 'dark' ? 1 : 0);
      assert.deepEqual(open.faults, []);
      await open.close();
    });
  }

  it('sends the selected call to the service, and does not store the entered key', async () => {
    const open = await opened('#tag/programs/GET/v1/programs');
    const { page, context } = open;
    await page.getByPlaceholder('Token').first().fill(service.secretKey);
    await page.locator('button', { hasText: 'get /v1/programs)' }).click();
    const answer = page.waitForResponse((response) => response.url().includes('/v1/programs'));
    await page.getByRole('button', { name: /^Send/ }).first().click();
    const response = await answer;
    assert.deepEqual([response.status(), response.url()], [200, `${service.url}/v1/programs`]);
    await page.getByText('"Friends of mugs"').first().waitFor();
    assert.deepEqual(open.faults, []);
    assert.deepEqual(open.requestsBeyond(origin), []);
    // Pass the code as a string, because its global names exist only in the page.
    const stored = await page.evaluate<string[]>(
      '(async () => [JSON.stringify(localStorage), JSON.stringify(sessionStorage), ' +
        '...(await indexedDB.databases()).map(({ name }) => `database ${name}`)])()',
    );
    assert.ok(
      stored.every((text) => !text.includes('sk_live_') && !text.startsWith('database')),
      stored.join('\n'),
    );
    assert.deepEqual(await context.cookies(), []);
    await open.close();
  });

  it('has a Content-Security-Policy that allows no other host and no foreign script', async () => {
    const reply = await fetch(`${service.url}/docs`);
    const policy = reply.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.match(policy, /connect-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    assert.doesNotMatch(await reply.text(), /https?:\/\//);
  });

  it('returns 304 for a known ETag, and compresses its files', async () => {
    for (const path of ['/docs', '/docs/scalar.js', '/docs/start.js', '/openapi.json', '/llms.txt']) {
      const compressed = { 'accept-encoding': 'br' };
      const first = await fetch(service.url + path, { headers: compressed });
      assert.equal(first.headers.get('content-encoding'), 'br', path);
      const headers = { ...compressed, 'if-none-match': first.headers.get('etag') ?? '' };
      assert.equal((await fetch(service.url + path, { headers })).status, 304, path);
    }
  });

  async function opened(place = '', options: Parameters<TestBrowser['open']>[0] = {}): Promise<OpenPage> {
    const open = await browser.open(options);
    await open.page.goto(`${service.url}/docs${place}`);
    return open;
  }

  /** Returns how many pixels wider the page is than the window. */
  function overflow({ page }: OpenPage): Promise<number> {
    return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }
});
