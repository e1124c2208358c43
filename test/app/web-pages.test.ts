import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Fastify from 'fastify';
import { limitedRoute } from '#app/pages/page-limit.ts';
import { addPortalLogo } from '#app/pages/portal-logo.ts';
import { addWebPages } from '#app/pages/web-pages.ts';
import { buildPages } from '../support/built-pages.ts';
import { exchange, rawRequest } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

describe('the console pages', () => {
  let service: TestService;
  let mounted: TestService;
  before(async () => {
    await buildPages();
    service = await startService();
    mounted = await startService({ BASE_PATH: '/whence', HEADER_PREFIX: 'X-Acme', SMTP_URL: 'smtp://127.0.0.1:9' });
  });
  after(async () => {
    await service.stop();
    await mounted.stop();
  });

  it('have one HTML document with an ETag for every path of the console', async () => {
    const first = await service.request('GET', '/console');
    assert.equal(first.status, 200);
    assert.match(
      first.text,
      /<html lang="en" data-base="" data-root="\/console" data-header-prefix="X-Service" data-version="[\d.]+">/,
    );
    for (const path of ['/console/', '/console/programs/12/edit', '/console/sales?sort=occurredAt', '/console/a.b/c']) {
      assert.equal((await service.request('GET', path)).text, first.text, path);
    }
    assert.equal(first.headers.get('cache-control'), 'no-cache');
    const again = await service.request('GET', '/console', {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    assert.deepEqual([again.status, again.text], [304, '']);
  });

  it('run no inline code, load nothing from other hosts, can’t be framed and send no referrer to other origins', async () => {
    const { headers, text } = await service.request('GET', '/console/programs');
    assert.equal(headers.get('content-security-policy'), POLICY);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\), .*microphone=\(\)/);
    assert.doesNotMatch(text, /https?:|<style| style=| on\w+=|<script(?! [^>]*src=")/);
  });

  it('load compressed assets with hashed names, which are cached without revalidation', async () => {
    for (const name of await assetsOf(service, '/console/')) {
      if (name.endsWith('.woff2')) continue;
      const { status, headers } = await service.request('GET', name, { headers: { 'accept-encoding': 'br' } });
      assert.deepEqual([status, headers.get('content-encoding')], [200, 'br'], name);
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.match(headers.get('content-type') ?? '', name.endsWith('.css') ? /^text\/css;/ : /^text\/javascript;/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  it('preload one of their five font files, which together have at most 100 kB', async () => {
    const assets = await assetsOf(service, '/console/');
    const style = await service.request('GET', assets.find((name) => name.endsWith('.css')) ?? '');
    const fonts = [...style.text.matchAll(/url\("?\.\/([\w-]+\.woff2)"?\)/g)].map(([, name]) => name ?? '');
    assert.equal(fonts.length, 5);
    let bytes = 0;
    for (const name of fonts) {
      const path = `/console/assets/${name}`;
      const answer = await fetch(new URL(path, service.url), { headers: { 'accept-encoding': 'br' } });
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'font/woff2'], name);
      assert.equal(answer.headers.get('content-encoding'), null);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      const font = Buffer.from(await answer.arrayBuffer());
      assert.equal(font.subarray(0, 4).toString('latin1'), 'wOF2');
      bytes += font.length;
    }
    assert.ok(bytes <= 100_000, `${bytes} bytes`);
    assert.equal(
      assets.filter((name) => name.endsWith('.woff2') && fonts.includes(name.split('/').at(-1) ?? '')).length,
      1,
    );
  });

  it('return 404 for unknown assets and for paths outside the asset folder', async () => {
    const paths = [
      'missing.js',
      '.stamp',
      'main.js.LEGAL.txt',
      '..%2findex.html',
      '..%2f..%2fmain.tsx',
      '%2e%2e%2f.stamp',
    ];
    for (const path of paths) {
      const { status, text } = await service.request('GET', `/console/assets/${path}`);
      assert.equal(status, 404, path);
      assert.match(text, /"code":"not-found"/, path);
    }
    const { host } = new URL(service.url);
    for (const path of [
      '/console/assets/../../../package.json',
      '/console/../package.json',
      '/console/assets/..\\main.tsx',
    ]) {
      const { text } = await exchange(service.url, rawRequest(`GET ${path}`, [`Host: ${host}`]));
      assert.doesNotMatch(text, /"dependencies"|createRoot/, path);
    }
  });

  it('work below the base path, and contain the base path and header prefix', async () => {
    const { text } = await mounted.request('GET', '/console/keys');
    assert.match(
      text,
      /data-base="\/whence" data-root="\/whence\/console" data-header-prefix="X-Acme" data-version="[\d.]+" data-sends-mail="true">/,
    );
    const assets = await assetsOf(mounted, '/console/');
    assert.ok(assets.length >= 2);
    for (const path of assets) {
      assert.ok(path.startsWith('/whence/console/assets/'), path);
      assert.equal((await fetch(new URL(path, mounted.url))).status, 200, path);
    }
  });

  it('open for a browser that requests /, while other clients get 404 for /', async () => {
    for (const [url, console] of [
      [`${service.url}/`, '/console/'],
      [`${mounted.url}/`, '/whence/console/'],
      [mounted.url, '/whence/console/'],
    ] as const) {
      const people = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html,*/*;q=0.8' } });
      assert.deepEqual([people.status, people.headers.get('location')], [302, console]);
      const program = await fetch(url, { redirect: 'manual' });
      assert.equal(program.status, 404);
      assert.match(await program.text(), /"code":"not-found"/);
    }
  });

  it('accept only GET and HEAD', async () => {
    const { status, headers } = await service.request('POST', '/console/');
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD']);
  });
});

describe('pages that query the database', () => {
  let service: TestService;
  before(async () => {
    await buildPages();
    service = await startService();
  });
  after(() => service.stop());

  it('are limited for each network, even for unknown portals, materials and unsubscribe links', async () => {
    for (const path of ['/portal/nobody/', '/portal/nobody/logo', `/materials/${'A'.repeat(22)}`, '/unsubscribe/x']) {
      const flood = await Promise.all(Array.from({ length: 150 }, () => service.request('GET', path)));
      const statuses = new Set(flood.map(({ status }) => status));
      assert.deepEqual(statuses, new Set([404, 429]), path);
      const refused = flood.find(({ status }) => status === 429);
      assert.match(refused?.headers.get('ratelimit-policy') ?? '', /^"page";q=50/);
      const elsewhere = { 'x-forwarded-for': '192.0.2.1' };
      assert.equal((await service.request('GET', path, { headers: elsewhere })).status, 404);
    }
  });
});

describe('the portal pages', () => {
  const app = Fastify();
  const embedOrigins = new Map<string, readonly string[]>([
    ['mugs', ['https://mugs.example', 'https://www.mugs.example']],
    ['cups', []],
  ]);
  before(async () => {
    await buildPages();
    addWebPages(app, '', { headerPrefix: 'X-Service', embedOriginsOf: async (slug) => embedOrigins.get(slug) });
  });
  after(() => app.close());

  it('can be framed only by the origins that the organization has listed', async () => {
    const framedBy = async (path: string) =>
      /frame-ancestors (.*)$/.exec(String((await app.inject(path)).headers['content-security-policy']))?.[1];
    assert.equal(await framedBy('/portal/mugs'), 'https://mugs.example https://www.mugs.example');
    assert.equal(await framedBy('/portal/mugs/links?x=1'), 'https://mugs.example https://www.mugs.example');
    assert.equal(await framedBy('/portal/cups/sign-in'), "'none'");
    assert.equal(await framedBy('/portal/nobody'), "'none'");
  });

  it('contain the portal’s slug, escaped, and load assets below it', async () => {
    const { body } = await app.inject('/portal/mugs/enter');
    assert.match(body, /data-root="\/portal\/mugs" .*data-slug="mugs"/);
    const script = /src="(\/portal\/mugs\/assets\/[^"]+\.js)"/.exec(body)?.[1];
    assert.equal((await app.inject(script as string)).statusCode, 200);
    const strange = await app.inject(`/portal/${encodeURIComponent('"><script>')}`);
    assert.equal(strange.statusCode, 404);
    assert.match(strange.body, /data-root="\/portal\/%22%3E%3Cscript%3E" .*data-slug="&quot;>&lt;script>"/);
  });

  it('return a 404 page for an unknown portal', async () => {
    const { statusCode, headers } = await app.inject('/portal/nobody');
    assert.deepEqual([statusCode, headers['content-type']], [404, 'text/html; charset=utf-8']);
  });

  it('return 404 for an invalid slug without a database query', async () => {
    const looked: string[] = [];
    const strict = Fastify();
    addWebPages(strict, '', { headerPrefix: 'X-Service', embedOriginsOf: async (slug) => void looked.push(slug) });
    addPortalLogo(strict, '', async (slug) => void looked.push(slug), limitedRoute(undefined));
    for (const path of ['/portal/%00', '/portal/%00/enter', '/portal/%00/logo', '/portal/Mugs/', '/portal/a%2Fb/logo'])
      assert.equal((await strict.inject(path)).statusCode, 404, path);
    assert.deepEqual(looked, []);
    await strict.close();
  });
});

/** Returns the paths of the assets in the HTML of a page. */
async function assetsOf(service: TestService, path: string): Promise<string[]> {
  const { text } = await service.request('GET', path);
  return [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, asset = '']) => asset);
}
