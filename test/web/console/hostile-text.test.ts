import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { OpenPage } from '../../support/browser.ts';
import { readCsv } from '../../support/csv.ts';
import { openPages, type Pages, type Somebody } from '../../support/pages.ts';
import { openMailbox, openPortal } from '../../support/portal.ts';
import { openShop } from '../../support/shop.ts';

/** Texts that would run, break out or mislead if they were not shown as plain text. */
const HOSTILE = {
  script: '<script>window.ran=1</script>',
  image: '"><img src=x onerror="window.ran=1">',
  attribute: `' onmouseover='window.ran=1' x='`,
  link: 'javascript:window.ran=1',
  template: '{{constructor.constructor("window.ran=1")()}}${window.ran=1}',
  sql: `'); drop table people; --`,
  formula: '=HYPERLINK("https://evil.example","Pay")',
  backwards: '\u202Egpj.exe\u2066\u200F',
} as const;
const NAMES = Object.values(HOSTILE);

/*
 * Pages must show texts from callers unchanged, execute no code in them and request nothing from other hosts. The
 * Content-Security-Policy is only a second defense: here the browser must have nothing to block.
 */
describe('text sent by callers', () => {
  let pages: Pages;
  let olga: Somebody;
  let cookie: string;
  let console: OpenPage;
  let ids: { readonly program: number; readonly collaborator: number; readonly sale: number };
  before(async () => {
    pages = await openPages();
    const { service } = pages;
    olga = await pages.person('owner', HOSTILE.script);
    const shop = openShop(service);
    const program = await shop.program({ name: HOSTILE.image, description: HOSTILE.script });
    const made = await Promise.all(
      NAMES.map((name, at) =>
        shop.collaborator(`code-${at}`, {
          name,
          nickname: name,
          email: `c${at}@hostile.example`,
          aliases: [
            { type: 'tracking', code: `code-${at}` },
            { type: 'coupon', code: `=${at}+1` },
          ],
        }),
      ),
    );
    const items = [{ externalId: HOSTILE.image, name: HOSTILE.script, amount: 10, quantity: 1, type: 'product' }];
    await shop.sell(HOSTILE.image, await shop.visit('code-1'), { source: HOSTILE.script, total: 10, items });
    await service.settled();
    const key = service.secretKey;
    await service.request('PATCH', '/v1/organization', { key, body: { name: HOSTILE.image } });
    const [sale] = await shop.get<{ id: number }[]>('/v1/transactions');
    const portal = await openPortal(service, await openMailbox(service), 'mugs', key);
    ({ cookie } = await portal.enter('c1@hostile.example'));
    ids = { program, collaborator: made[1] as number, sale: sale?.id as number };
    console = await pages.open('/', olga);
  });
  after(async () => {
    await console?.close();
    await pages.close();
  });

  for (const path of [
    '/',
    '/collaborators',
    '/collaborators/{collaborator}',
    '/programs',
    '/programs/{program}',
    '/programs/{program}/edit',
    '/sales',
    '/sales/{sale}',
    '/conversions',
    '/people',
    '/audit',
    '/live',
    '/settings',
  ])
    it(`hostile text is shown as plain text in the console: ${path}`, async () => {
      const { page } = console;
      await page.goto(pages.url + path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof ids) => String(ids[name])));
      await page.locator('body', { hasText: 'window.ran=1' }).waitFor();
      await isInert(console);
    });

  it('hostile text in each collaborator name is shown in full', async () => {
    const { page } = console;
    await page.goto(`${pages.url}/collaborators`);
    await page.locator('body', { hasText: 'evil.example' }).waitFor();
    const shown = await page.evaluate<string>('document.body.textContent');
    for (const name of NAMES) assert.ok(shown.includes(name), name);
    await isInert(console);
  });

  it('hostile text is shown as plain text in the portal', async () => {
    const open = await pages.openPortal('/mugs/', cookie);
    for (const path of ['/mugs/conversions', '/mugs/links', '/mugs/settings']) {
      await isInert(open);
      await open.page.goto(`${pages.url.replace('/console', '/portal')}${path}`);
      await open.page.locator('h1').first().waitFor();
    }
    await isInert(open);
    await open.close();
  });

  it('hostile text is not a formula in CSV from the API', async () => {
    const { text } = await pages.service.request('GET', '/v1/collaborators', {
      key: pages.service.secretKey,
      headers: { accept: 'text/csv' },
    });
    assert.match(text, /"'=HYPERLINK\(""https/);
    assert.doesNotMatch(text, /(^|,)"?=HYPERLINK/m);
  });

  it('hostile text is not a formula in CSV that the portal generates itself', async () => {
    const { page, close } = await pages.openPortal('/mugs/links', cookie);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    assert.deepEqual(
      readCsv(text).map(([code]) => code),
      ['\uFEFFcode', 'code-1', `'=1+1`],
    );
    await close();
  });

  async function isInert({ page, ...open }: OpenPage): Promise<void> {
    assert.equal(await page.evaluate('window.ran'), undefined);
    const made = await page.evaluate(
      `[...document.querySelectorAll('img[src=x], script:not([src]), [onerror], [onmouseover], a[href^="javascript:" i]')].length`,
    );
    assert.equal(made, 0);
    assert.deepEqual([...open.scriptFaults(), ...open.requestsBeyond(new URL(page.url()).origin)], []);
  }
});
