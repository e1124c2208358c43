import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request as forwarded } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Frame } from 'playwright-core';
import { embedCode } from '#web/console/portal/embed-code.ts';
import type { OpenPage } from '../../support/browser.ts';
import { DESK, findViolations, openPages, type Pages, PHONE } from '../../support/pages.ts';
import { type Mailbox, openMailbox, openPortal } from '../../support/portal.ts';
import { openShop, type Shop } from '../../support/shop.ts';

/*
 * The portal runs in a frame of another site, over TLS as in production. Its cookie is `Partitioned`, which also
 * requires `Secure`. Names below `.test` resolve to this machine, and each is a separate site.
 */

const PEM = readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'receiver.pem'), 'utf8');
const ADA = 'ada@example.com';
const NAME = 'Ada’s "Mugs" & <more>';

describe('the portal embedded in another site', () => {
  let pages: Pages;
  let mailbox: Mailbox;
  let shop: Shop;
  let proxy: Server;
  let sites: Server;
  let portalUrl: string;
  before(async () => {
    let servicePort = 0;
    proxy = await listening(
      createServer({ key: PEM, cert: PEM }, (incoming, answer) => {
        const { method, url, headers } = incoming;
        const request = forwarded({ port: servicePort, method, path: url, headers }, (reply) => {
          answer.writeHead(reply.statusCode ?? 500, reply.headers);
          reply.pipe(answer);
        });
        incoming.pipe(request);
      }),
    );
    const PUBLIC_URL = `https://whence.test:${portOf(proxy)}`;
    pages = await openPages({ PUBLIC_URL, SMTP_URL: 'smtp://127.0.0.1:9' });
    servicePort = Number(new URL(pages.service.url).port);
    portalUrl = `${PUBLIC_URL}/portal/mugs/`;
    sites = await listening(
      createServer({ key: PEM, cert: PEM }, (_, answer) => {
        answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        answer.end(pageAround(portalUrl));
      }),
    );
    shop = openShop(pages.service);
    mailbox = await openMailbox(pages.service);
    await openPortal(pages.service, mailbox, 'mugs', pages.service.secretKey);
    await shop.change('/v1/portal-settings', { name: NAME, embedOrigins: [siteOf('shop')] });
    await shop.program();
    await shop.collaborator('ada', { name: 'Ada Lovelace', email: ADA });
  });
  after(async () => {
    await pages.close();
    for (const server of [proxy, sites]) server.close();
  });

  it('the embedded portal logs a collaborator in with an emailed code, and resizes its frame to fit the content', async () => {
    const open = await visit('shop');
    assert.equal(await open.page.locator('iframe').getAttribute('title'), NAME);
    const frame = await portalIn(open);
    await frame.getByRole('heading', { name: `Log in to ${NAME}` }).waitFor();
    assert.deepEqual(await findViolations(frame), []);
    await frame.getByLabel('Email').fill(ADA);
    await frame.getByRole('button', { name: 'Email me a link' }).click();
    await frame.getByText('Enter its code here.').waitFor();
    assert.deepEqual(await findViolations(frame), []);
    await frame.getByLabel('Code from the email').fill((await mailbox.entryOf(ADA)).code);
    await frame.getByRole('button', { name: 'Log in', exact: true }).click();
    await frame.getByText('https://mugs.example/?ref=ada').waitFor();
    assert.equal(await frame.getByText(NAME).count(), 0, 'the embedding page shows the name instead');
    assert.deepEqual(await findViolations(frame), []);
    assert.deepEqual(
      await frame.evaluate(
        "[...document.querySelectorAll('a')].filter((link) => link.getBoundingClientRect().height < 24).map((link) => link.textContent)",
      ),
      [],
      'the links that are too small for a finger',
    );
    for (const viewport of [PHONE, DESK]) {
      await open.page.setViewportSize(viewport);
      await isAsHigh(frame);
      assert.ok(await frame.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    }
    const tall = await heightOf(frame);
    await frame.getByRole('link', { name: 'Links', exact: true }).click();
    await frame.getByRole('heading', { name: 'Links' }).waitFor();
    // Once the list is loaded, the frame is lower than for the previous page.
    while ((await heightOf(frame)) >= tall) await isAsHigh(frame);

    await frame.getByRole('link', { name: 'Settings' }).click();
    await frame.getByText('Add passkeys on the portal’s own page.').waitFor();
    const [own] = await Promise.all([
      open.context.waitForEvent('page'),
      frame.getByRole('link', { name: 'Open it in a new tab' }).click(),
    ]);
    // The cookie is partitioned, so it is not sent outside the frame.
    await own.getByRole('heading', { name: `Log in to ${NAME}` }).waitFor();
    await own.close();

    await open.page.reload();
    await (await portalIn(open)).getByRole('button', { name: 'Account of Ada Lovelace' }).waitFor();
    assert.deepEqual(open.scriptFaults(), []);
    assert.deepEqual(open.requestsBeyond(siteOf('shop'), new URL(portalUrl).origin), []);
    await open.close();
  });

  it('the embedded portal is refused on a site that is not in embedOrigins', async () => {
    const open = await visit('other');
    await open.page.waitForFunction('document.title !== "waiting"');
    const shown = open.page.frames().find((frame) => frame.parentFrame() !== null);
    assert.equal(await shown?.locator('h1').count(), 0);
    assert.match(open.faults.join('\n'), /frame-ancestors/);
    await open.close();
  });

  it('the embed code that the console generates equals the code in docs/reference/portal.md', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'portal.md'), 'utf8');
    const url = 'https://whence.example.com/portal/adas-mugs/';
    assert.ok(page.includes(`\n\`\`\`html\n${embedCode({ url, name: 'Ada’s Mugs' })}\n\`\`\`\n`));
  });

  function siteOf(name: string): string {
    return `https://${name}.test:${portOf(sites)}`;
  }

  async function visit(site: string): Promise<OpenPage> {
    const open = await pages.browser.open({
      viewport: PHONE,
      reducedMotion: 'reduce',
      locale: 'en-US',
      ignoreHTTPSErrors: true,
    });
    await open.page.goto(siteOf(site));
    return open;
  }
});

/** Returns a shop page with the embed code that the console shows. */
function pageAround(portalUrl: string): string {
  return `<!doctype html><title>waiting</title><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">
    <style>body { margin: 0 }</style>
    ${embedCode({ url: portalUrl, name: NAME })}
    <script>document.querySelector('iframe').addEventListener('load', () => (document.title = 'loaded'));</script>`;
}

async function portalIn({ page }: OpenPage): Promise<Frame> {
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
  assert.ok(frame !== null && frame !== undefined);
  await frame.locator('h1').waitFor();
  return frame;
}

/** Waits until the frame is as high as its content. The portal's CSP prevents waiting inside the frame. */
async function isAsHigh(frame: Frame): Promise<void> {
  const look = 'new Promise((drawn) => requestAnimationFrame(() => drawn(innerHeight - document.body.clientHeight)))';
  while (Math.abs(await frame.evaluate<number>(look)) > 1);
}

function heightOf(frame: Frame): Promise<number> {
  return frame.evaluate<number>('innerHeight');
}

async function listening(server: Server): Promise<Server> {
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
