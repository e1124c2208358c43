import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { audit, openPages, type Pages, type Somebody } from '#test/support/pages.ts';
import { newNetwork, openMailbox, openPortal } from '#test/support/portal.ts';
import { openShop } from '#test/support/shop.ts';

/** What would run, break out or mislead where it is not shown as the text that it is. */
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
 * Whatever text callers have sent: the pages show it as they were sent it, run nothing of it and ask nobody else for
 * anything. The policy of the pages is the second wall: were it the first, the browser would have had something to refuse.
 */
describe('text that others have sent', () => {
  let pages: Pages;
  let olga: Somebody;
  let cookie: string;
  let ids: { readonly program: number; readonly collaborator: number; readonly sale: number };
  before(async () => {
    pages = await openPages({ TRUSTED_PROXIES: 'loopback' });
    const { service } = pages;
    olga = await pages.person('owner', HOSTILE.script);
    const shop = openShop(service);
    const program = await shop.program({ name: HOSTILE.image, description: HOSTILE.script });
    const made = await Promise.all(
      NAMES.map((name, at) =>
        shop.collaborator(`code-${at}`, { name, nickname: name, email: `c${at}@hostile.example` }),
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
  });
  after(() => pages.close());

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
    it(`is text and nothing else in the console: ${path}`, async () => {
      const at = path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof ids) => String(ids[name]));
      const open = await pages.open(at, olga);
      await open.page.waitForFunction(`document.body.textContent.includes('window.ran=1')`);
      await isInert(open);
      await open.close();
    });

  it('shows each name as it was given, in the order in which it is written', async () => {
    const open = await pages.open('/collaborators', olga);
    for (const name of NAMES) await open.page.getByText(name, { exact: true }).first().waitFor();
    await isInert(open);
    await audit(open);
    await open.close();
  });

  for (const path of ['/mugs/', '/mugs/conversions', '/mugs/links', '/mugs/settings'])
    it(`is text and nothing else in the portal: ${path}`, async () => {
      const open = await pages.openPortal(path, cookie);
      await isInert(open);
      await open.close();
    });

  it('is no formula in files, and no line of its own in mails', async () => {
    const { service } = pages;
    const list = await service.request('GET', '/v1/collaborators', {
      key: service.secretKey,
      headers: { accept: 'text/csv' },
    });
    assert.match(list.text, /"'=HYPERLINK\(""https/);
    assert.doesNotMatch(list.text, /(^|,)"?=HYPERLINK/m);
    const { text } = await service.request('GET', `/v1/transactions/${ids.sale}/explanation`, {
      key: service.secretKey,
    });
    assert.ok(text.includes('<script>') || text.includes('img src'), 'the API gives text as it is, as JSON');
    await service.request('POST', '/v1/portals/mugs/links', {
      body: { email: 'c1@hostile.example' },
      headers: { 'x-forwarded-for': newNetwork() },
    });
  });

  async function isInert({ page, ...open }: Awaited<ReturnType<Pages['open']>>): Promise<void> {
    assert.equal(await page.evaluate('window.ran'), undefined);
    const made = await page.evaluate(
      `[...document.querySelectorAll('img[src=x], script:not([src]), [onerror], [onmouseover], a[href^="javascript:" i]')].length`,
    );
    assert.equal(made, 0);
    assert.deepEqual([...open.scriptFaults(), ...open.requestsBeyond(new URL(page.url()).origin)], []);
  }
});
