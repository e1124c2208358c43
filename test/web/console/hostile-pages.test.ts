import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type App, type Picture, PICTURES, routesOf } from '../../../scripts/pictures.ts';
import type { OpenPage } from '../../support/browser.ts';
import { openHostileShop, type HostileShop } from '../../support/hostile-shop.ts';
import { hostileText, isInert, shownText } from '../../support/hostile-text.ts';
import { openPages, type Pages } from '../../support/pages.ts';

/**
 * The hostile fields that must be shown on at least one page. Three more fields are not included: a browser is shown
 * only by its parsed name, and payout accounts and custom event names appear only after a click.
 */
const FIELDS = [
  'organization',
  'person',
  'passkey',
  'label',
  'connector',
  'webhook',
  'program',
  'description',
  'filter',
  'headline',
  'question',
  'second',
  'group',
  'collaborator-0',
  'collaborator-1',
  'nickname-0',
  'nickname-1',
  'coupon-0',
  'coupon-1',
  'portal',
  'applicant',
  'answer',
  'holder',
  'source',
  'line',
  'item',
  'order-0',
  'order-1',
  'order-2',
  'order-3',
  'refund',
  'note',
  'reason',
  'credit',
] as const;

/*
 * Opens every route of both routers, as listed in scripts/pictures.ts, for an organization with hostile texts in many
 * fields. Each page must show the text as text, and request nothing from other hosts.
 */
describe('hostile text in the fields of an organization', () => {
  let pages: Pages;
  let shop: HostileShop;
  const shown = new Set<string>();
  before(async () => {
    pages = await openPages();
    shop = await openHostileShop(pages);
  });
  after(() => pages.close());

  for (const app of ['console', 'portal'] as const)
    for (const route of routesOf(app))
      it(`hostile text is shown as plain text in the ${app}: ${route}`, async () => {
        const pictures = PICTURES[app][route] ?? [];
        assert.ok(pictures.length > 0, 'the page has a picture');
        for (const picture of pictures) {
          await lookAt(await opened(app, picture, (await picture.at?.(shop.whence)) ?? route));
        }
      });

  it('hostile text is shown as plain text on further pages of the same routes', async () => {
    for (const path of shop.more) await lookAt(await opened('console', {}, path));
  });

  it('each hostile text in FIELDS is shown in full on at least one page', () => {
    assert.deepEqual(
      FIELDS.filter((field) => !shown.has(field)),
      [],
    );
  });

  async function lookAt(open: OpenPage): Promise<void> {
    await isInert(open);
    const text = await shownText(open);
    for (const field of FIELDS) if (text.includes(hostileText(field))) shown.add(field);
    await open.close();
  }

  async function opened(app: App, { seenBy, invitation }: Picture, path: string): Promise<OpenPage> {
    const isKnown = seenBy !== 'nobody';
    const visit = (at: string): Promise<OpenPage> =>
      app === 'console'
        ? pages.open(at, isKnown ? shop.owner : undefined)
        : pages.openPortal(`/${shop.slug}${at}`, isKnown ? shop.collaborator : undefined);
    const open = await visit(invitation === undefined ? path : '/sign-in');
    const { page } = open;
    if (invitation !== undefined) {
      const json = { ...invitation, organization: hostileText('organization') };
      await page.route('**/v1/invitations/preview', (route) => route.fulfill({ json }));
      await page.goto(pages.url + path);
      await page.locator('h1').first().waitFor();
    }
    await open.still();
    return open;
  }
});
