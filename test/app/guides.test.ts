import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { launchBrowser, type OpenPage, type TestBrowser } from '#test/support/browser.ts';
import { audit } from '#test/support/pages.ts';
import { startService, type TestService } from '#test/support/service.ts';

describe('the guides at /docs/guides', () => {
  let service: TestService;
  let browser: TestBrowser;
  before(async () => {
    service = await startService({ BASE_PATH: '/whence' });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  // Each call of audit() checks both the phone and the desktop width.
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`let a reader search for a page and follow a link, in the ${colorScheme} color scheme`, async () => {
      const open = await opened('', { colorScheme });
      const { page } = open;
      await audit(open);
      await page.getByLabel('Search').fill('lost dispute');
      await page.getByText(/^\d+ results$/).waitFor();
      await audit(open);
      await page.locator('#results a', { hasText: 'Handle refunds and disputes' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Handle refunds and disputes' }).waitFor();
      await audit(open);
      await page.getByRole('main').getByRole('link', { name: 'Payouts' }).click();
      await page.waitForURL('**/whence/docs/guides/reference/payouts#refunds-and-payouts');
      await audit(open);
      assert.deepEqual(open.faults, []);
      await open.close();
    });
  }

  it('show a message for a search without results, and hide the results on Escape', async () => {
    const open = await opened('/tutorial');
    const search = open.page.getByLabel('Search');
    await search.fill('teleportation');
    await open.page.getByText('No results').waitFor();
    await search.fill('refund');
    await open.page.locator('#results a').first().waitFor();
    await search.press('Escape');
    assert.equal(await open.page.locator('#results').isVisible(), false);
    await open.close();
  });

  it('have links to each other that all point to existing pages and headings', async () => {
    const pages = new Map<string, string>();
    const links: string[] = [];
    const waiting = [`${service.url}/docs/guides`];
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      if (pages.has(url)) continue;
      const reply = await fetch(url);
      assert.equal(reply.status, 200, url);
      const html = reply.headers.get('content-type')?.startsWith('text/html') === true ? await reply.text() : '';
      pages.set(url, html);
      for (const [, target = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const link = new URL(target.replaceAll('&amp;', '&'), url);
        if (link.origin !== new URL(service.url).origin || !link.pathname.includes('/docs/guides')) continue;
        links.push(link.href);
        waiting.push(link.href.replace(link.hash, ''));
      }
    }
    assert.ok(pages.size > 30, `${pages.size} pages`);
    for (const link of links) {
      const [url = '', anchor] = link.split('#');
      if (anchor !== undefined) assert.ok(pages.get(url)?.includes(`id="${decodeURIComponent(anchor)}"`), link);
    }
  });

  it('show pictures, and serve no decision records or files of the repository', async () => {
    const open = await opened('/reference/console');
    const sizes = await open.page.evaluate<number[]>('[...document.images].map(({ naturalWidth }) => naturalWidth)');
    assert.ok(sizes.length > 0 && sizes.every((width) => width > 100), String(sizes));
    await open.close();
    assert.equal((await fetch(`${service.url}/docs/guides/decisions/0001-node-24-and-no-build`)).status, 404);
    assert.equal((await fetch(`${service.url}/docs/guides/images/..%2f..%2fpackage.json`)).status, 404);
    const limits = await (await fetch(`${service.url}/docs/guides/reference/limits`)).text();
    assert.doesNotMatch(limits, /href="[^"]*\.(ts|md)/);
  });

  it('have a Content-Security-Policy that allows no other host and no inline code', async () => {
    const reply = await fetch(`${service.url}/docs/guides/tutorial`);
    const policy = reply.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe/);
  });

  async function opened(path: string, options: Parameters<TestBrowser['open']>[0] = {}): Promise<OpenPage> {
    const open = await browser.open(options);
    await open.page.goto(`${service.url}/docs/guides${path}`);
    return open;
  }
});
