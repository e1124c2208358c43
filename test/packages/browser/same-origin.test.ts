import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { closeServer, startServer, type ShopSite, startShopSite } from '../../support/shop-site.ts';

type Route = Readonly<Record<string, ((request: Request) => Promise<Response>) | undefined>>;

const KEPT_S = 30 * 86_400;
const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'browser.md');

describe('the script served from the shop’s own address', () => {
  let site: ShopSite;
  let server: Awaited<ReturnType<typeof startServer>>[0];
  let shopUrl: string;
  let route: Route;
  /** The method and path of each request to the shop's route at /whence/. */
  const asked: string[] = [];
  before(async () => {
    site = await startShopSite();
    route = await routeOfDocs(site.service.url);
    const [listening, port] = await startServer(shopWithRoute);
    server = listening;
    shopUrl = `http://shop.test:${port}`;
    site.page = {
      body: `<script async src="/whence/whence.js" data-key="${site.service.publishableKey}" data-storage="server"></script>`,
    };
  });
  after(async () => {
    await closeServer(server);
    await site.stop();
  });

  /** A stand-in for a web framework. It serves the shop's pages and, at /whence/, the route from the documentation. */
  const shopWithRoute: RequestListener = (request, response) => {
    void respond();

    async function respond(): Promise<void> {
      const reply = await answer();
      response.writeHead(reply.status, Object.fromEntries(reply.headers));
      response.end(Buffer.from(await reply.arrayBuffer()));
    }

    async function answer(): Promise<Response> {
      if (request.url?.startsWith('/whence/') !== true) return fetch(site.shopUrl.replace('shop.test', '127.0.0.1'));
      asked.push(`${request.method} ${request.url}`);
      const method = request.method as string;
      const body = method === 'GET' ? null : await buffer(request);
      const headers = request.headers as Record<string, string>;
      return (route[method] as NonNullable<Route[string]>)(
        new Request(shopUrl + request.url, { method, headers, body }),
      );
    }
  };

  it('needs no preflight, and keeps the tracking id in a server cookie', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page, context } = opened;
    await page.goto(`${shopUrl}/?ref=${ref}`);
    const id = await site.ready(page);
    assert.deepEqual(await site.visits(ref), { [id]: 1 });
    const [cookie, ...others] = await context.cookies();
    assert.deepEqual([cookie?.name, cookie?.value, others], ['whence_oid', id, []]);
    assert.ok(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - KEPT_S) < 600);
    assert.deepEqual(opened.requestsBeyond(shopUrl), []);
    assert.deepEqual(asked, ['GET /whence/whence.js', 'POST /whence/v1/event/site-visited']);
    assert.deepEqual(opened.faults, []);
    await opened.close();
  });

  it('never writes the cookie that the server set, but can delete it', async () => {
    const [opened, ref] = [await site.open(), await site.ref()];
    const { page, context } = opened;
    await page.addInitScript(`window.written = [];
      const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
      Object.defineProperty(Document.prototype, 'cookie', {
        get,
        set(text) { window.written.push(text); set.call(this, text); },
      });`);
    await page.goto(`${shopUrl}/?ref=${ref}`);
    const id = await site.ready(page);
    assert.deepEqual(await page.evaluate('written'), []);
    await page.goto(`${shopUrl}/cart`);
    assert.equal(await site.ready(page), id);
    assert.deepEqual(await page.evaluate('written'), []);
    await page.evaluate('whence.forget()');
    assert.deepEqual(await context.cookies(), []);
    await opened.close();
  });

  it('a refused visit sets no cookie', async () => {
    const opened = await site.open();
    await opened.page.goto(`${shopUrl}/?ref=nobody`);
    await opened.page.waitForFunction('window.whence?.id');
    assert.equal(await opened.page.evaluate('whence.ready'), undefined);
    assert.deepEqual(await opened.context.cookies(), []);
    await opened.close();
  });
});

/** Loads the Next.js route from docs/reference/browser.md unchanged, except for the service's address and `Secure`. */
async function routeOfDocs(serviceUrl: string): Promise<Route> {
  const [, source] = /^### Next\.js\n[^]*?```ts\n([^]*?)```/m.exec(readFileSync(DOCS, 'utf8')) ?? [];
  assert.ok(source?.includes('https://whence.example.com') === true && source.includes('; Secure'));
  const folder = mkdtempSync(join(tmpdir(), 'whence-route-'));
  const file = join(folder, 'route.ts');
  writeFileSync(file, source.replace('https://whence.example.com', serviceUrl).replace('; Secure', ''));
  try {
    return (await import(file)) as Route;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
