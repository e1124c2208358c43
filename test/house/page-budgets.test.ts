import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { OpenPage } from '#test/support/browser.ts';
import { openPages, type Pages } from '#test/support/pages.ts';

/** Scripts and styles that a browser fetches which was never here, gzipped, until the page stands and is quiet. */
const FIRST_LOAD_BYTES = 200_000;

describe('the first load of the pages', () => {
  let pages: Pages;
  before(async () => {
    pages = await openPages();
  });
  after(() => pages.close());

  it('of the console is below 200 kB, where one signs in', async () => {
    await isWithin(await pages.open('/sign-in'));
  });

  it('of the console is below 200 kB, with the overview and its chart', async () => {
    await reportVisit();
    const open = await pages.open('/', await pages.person('owner'));
    await open.page.locator('canvas').waitFor();
    await isWithin(open);
  });

  it('of a portal is below 200 kB, where one signs up', async () => {
    const { secretKey: key, request, url } = pages.service;
    const body = { slug: 'mugs', landingUrl: 'https://mugs.example/' };
    assert.equal((await request('PATCH', '/v1/portal-settings', { key, body })).status, 200);
    const open = await pages.browser.open();
    await open.page.goto(`${url}/portal/mugs/sign-up`);
    await isWithin(open);
  });

  /** As long as there is nothing, the overview shows less. */
  async function reportVisit(): Promise<void> {
    const { secretKey: key, request, settled } = pages.service;
    const aliases = [{ type: 'tracking', code: 'ada' }];
    assert.equal((await request('POST', '/v1/collaborators', { key, body: { name: 'Ada', aliases } })).status, 201);
    const body = { collaboratorId: 'tracking:ada' };
    assert.equal((await request('POST', '/v1/event/site-visited', { key, body })).status, 200);
    await settled();
  }

  async function isWithin(open: OpenPage): Promise<void> {
    await open.page.locator('h1').waitFor();
    await open.page.waitForLoadState('networkidle');
    const assets = open.requests
      .map((request) => request.replace('GET ', ''))
      .filter((url) => url.includes('/assets/'));
    const texts = await Promise.all([...new Set(assets)].map(async (url) => (await fetch(url)).text()));
    const bytes = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
    console.log(`${new URL(open.page.url()).pathname}: ${assets.length} files, ${bytes} bytes`);
    assert.ok(assets.length >= 2);
    assert.ok(bytes < FIRST_LOAD_BYTES, `${bytes} bytes:\n${assets.join('\n')}`);
    await open.close();
  }
});
