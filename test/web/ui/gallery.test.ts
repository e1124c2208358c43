import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser, type OpenPage, type TestBrowser, type TestContexts } from '../../support/browser.ts';
import { type GallerySite, serveGallery } from './gallery-site.ts';

const AXE = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'axe-core', 'axe.min.js');
const PARTS = ['overview', 'list', 'form', 'words', 'actions'];
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Animations are off, because colors in transition have a different contrast. */
const READER = { viewport: DESK, locale: 'en-GB', reducedMotion: 'reduce' } as const;

describe('the components', () => {
  let site: GallerySite;
  let browser: TestBrowser;
  let contexts: TestContexts;
  let axe: string;

  before(async () => {
    [site, axe] = await Promise.all([serveGallery(), readFile(AXE, 'utf8')]);
    browser = await launchBrowser();
    const [file = ''] = site.sizes.keys();
    contexts = browser.contexts(`${site.url}/assets/${file}`, READER);
  });

  after(async () => {
    await browser.close();
    await site.close();
  });

  for (const part of PARTS) {
    it(`components meet WCAG 2.2 AA and the Content-Security-Policy, and fit a phone, in light and dark: ${part}`, async () => {
      const open = await contexts.open();
      const { page } = open;
      await go(open, part);
      for (const viewport of [DESK, PHONE]) {
        await page.setViewportSize(viewport);
        assert.equal(await overflow(page), 0, `${viewport.width} px`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await audit(page), [], `${viewport.width} px, ${colorScheme}`);
        }
      }
      await closeCleanly(open);
    });
  }

  it('components stay readable with the accent color of a brand', async () => {
    const open = await contexts.open();
    for (const accent of ['ffd600', '0b3d2e']) {
      await go(open, 'list', `&accent=%23${accent}`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await open.page.emulateMedia({ colorScheme });
        assert.deepEqual(await audit(open.page), [], `${accent}, ${colorScheme}`);
      }
    }
    await closeCleanly(open);
  });

  it('a dialog gets the focus, keeps it while open, and returns it, and a deletion requires the typed name', async () => {
    const open = await contexts.open();
    const { page } = open;
    await go(open, 'actions');
    const opener = page.getByRole('button', { name: 'Open dialog' });
    await opener.press('Enter');
    await focused(page.getByRole('textbox', { name: 'Address' }));
    assert.deepEqual(await audit(page), []);
    for (let times = 0; times < 6; times += 1) {
      await page.keyboard.press('Tab');
      await page.locator('[role="dialog"]:has(:focus)').waitFor();
    }
    await page.keyboard.press('Escape');
    await focused(opener);

    await page.getByRole('button', { name: 'Open question' }).press('Enter');
    await page.getByRole('button', { name: 'Delete program' }).press('Enter');
    await page.getByText('Deleted', { exact: true }).waitFor();
    await page.getByRole('alertdialog', { name: /Delete “/ }).waitFor({ state: 'detached' });
    await closeCleanly(open);
  });

  it('menus, the command dialog and the keyboard help work without a mouse', async () => {
    const open = await contexts.open();
    const { page } = open;
    await go(open, 'actions');
    await page.getByRole('button', { name: 'Open menu' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
    assert.deepEqual(await audit(page), []);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or go to' }).waitFor();
    await page.keyboard.type('new pro');
    await page.getByRole('option', { name: /New program/ }).waitFor();
    assert.deepEqual(await audit(page), []);
    await page.keyboard.press('Enter');
    await page.getByText('New program', { exact: true }).waitFor();
    await page.getByRole('dialog', { name: 'Search or go to' }).waitFor({ state: 'detached' });

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    await help.getByText('Search or go to').waitFor();
    assert.deepEqual(await audit(page), []);
    await closeCleanly(open);
  });

  it('a tooltip appears on hover and focus, and Escape hides it', async () => {
    const open = await contexts.open();
    const { page } = open;
    await go(open, 'form');
    const show = page.getByRole('button', { name: 'Show the password' });
    const tooltip = page.locator('[role=tooltip]', { hasText: 'Show the password' });
    await show.hover();
    await tooltip.waitFor();
    assert.deepEqual(await audit(page), []);
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);
    await page.getByRole('textbox', { name: 'Password' }).focus();
    await page.keyboard.press('Tab');
    await tooltip.waitFor();
    await closeCleanly(open);
  });

  it('selects and comboboxes work with typing and arrow keys', async () => {
    const open = await contexts.open();
    const { page } = open;
    await go(open, 'form');
    const attribution = page.getByRole('combobox', { name: 'Attribution' });
    await attribution.press('e');
    assert.equal(await attribution.inputValue(), 'linear');
    await attribution.press('ArrowUp');
    assert.equal(await attribution.inputValue(), 'first-touch');

    const collaborator = page.getByRole('combobox', { name: 'Collaborator' });
    await collaborator.press('Enter');
    await page.keyboard.type('vaug');
    await page.getByRole('option', { name: /Dorothy/ }).waitFor();
    await page.getByRole('option', { name: /Ada/ }).waitFor({ state: 'detached' });
    assert.deepEqual(await audit(page), []);
    await page.keyboard.press('Enter');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    assert.equal((await collaborator.textContent())?.trim(), 'Dorothy Vaughan');

    await page.getByRole('button', { name: 'Remove Hedy Lamarr' }).press('Enter');
    await page.getByRole('button', { name: 'Remove Hedy Lamarr' }).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Enrolled' }).press('Enter');
    await page.keyboard.type('radia');
    await page.getByRole('option', { name: /Radia/ }).waitFor();
    await page.getByRole('option', { name: /Ada/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Radia Perlman' }).waitFor();
    await closeCleanly(open);
  });

  it('form errors are shown at their fields, and the first field with an error gets the focus', async () => {
    const open = await contexts.open();
    const { page } = open;
    await go(open, 'form');
    await page.getByRole('button', { name: 'Create program' }).press('Enter');
    const name = page.getByRole('textbox', { name: 'Name' });
    await focused(name);
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    const describedBy = (await name.getAttribute('aria-describedby')) ?? '';
    assert.equal(await page.locator(`[id="${describedBy.split(' ')[0]}"]`).textContent(), 'This field is required.');
    await page.getByText('Another program has these terms.').waitFor();
    assert.deepEqual(await audit(page), []);
    const cap = page.getByRole('textbox', { name: 'Cap per order' });
    await cap.fill('1.234,5');
    await cap.press('Tab');
    assert.equal(await cap.inputValue(), '1234.50');
    await cap.fill('12x');
    await cap.press('Tab');
    await page.getByText('Enter an amount such as 19.99.').waitFor();
    await closeCleanly(open);
  });

  it('an explanation is rendered from its facts, not from its text', async () => {
    const open = await contexts.open();
    const { page } = open;
    await go(open, 'words');
    const panel = page.getByRole('tabpanel', { name: 'Why' });
    for (const words of [
      /^Sale, decided on .+\. Products and discounts: US\$225\.00\. At least 1 partner earned\.$/,
      /^Touches from .+ to .+, score 3$/,
      'Held for review: the time since the first touch was shorter',
      'a newer touch gets the credit: Ann (collaborator 7)',
      '3 more are not listed.',
      /^Partly refunded on .+ \(refund “r-1”\): US\$20\.00$/,
      /^Commission 41 of Ann in Friends, version 2: awarded US\$10\.00, worth US\$9\.00 now, held for review\.$/,
      /^Commission 42 of Cy in Friends, version 2, credited manually by person 5 on .+, “Ordered by phone”: awarded US\$5\.00, rejected because “refunded”: nothing is owed\./,
    ]) {
      await panel.getByText(words).first().waitFor();
    }
    assert.equal(await panel.getByRole('list', { name: 'How it adds up' }).first().getByRole('listitem').count(), 5);
    const [loser] = await panel.getByRole('link', { name: 'Partner 8' }).all();
    assert.equal(await loser?.getAttribute('href'), '/collaborators/8', 'a partner without a name is linked by id');
    await closeCleanly(open);
  });

  it('tabs and charts work with the keyboard, and a failed download of a QR code is reported', async () => {
    const open = await contexts.open();
    const { page } = open;
    await go(open, 'words');
    await page.getByRole('tab', { name: 'Why' }).press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('First visit by Ada’s link').waitFor();
    assert.deepEqual(await audit(page), []);
    await page.getByRole('tab', { name: 'Facts' }).click();
    await page.getByRole('img', { name: 'QR code of https://shop.example/?ref=ada' }).locator('path[d^="M"]').waitFor();
    assert.deepEqual(await audit(page), []);
    await page.evaluate('OffscreenCanvas.prototype.getContext = () => null');
    await page.getByRole('button', { name: 'Download as PNG' }).click();
    await page.getByText('This browser cannot create a PNG file.').first().waitFor();
    await page.locator('[data-toast] button').click();
    await page.locator('[data-toast]').waitFor({ state: 'detached' });

    await go(open, 'overview');
    await page.getByRole('application').locator('canvas').waitFor();
    await page.getByRole('application').press('End');
    await page.getByText('31 Jan: Revenue').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Show as table' }).press('Enter');
    await page.getByRole('rowheader', { name: '31 Jan' }).waitFor();
    assert.deepEqual(await audit(page), []);
    await closeCleanly(open);
  });

  it('rows of a list can be selected and changed with the keyboard, and the change can be undone', async () => {
    const open = await contexts.open();
    const { page } = open;
    await go(open, 'list');
    await page.getByRole('row', { name: /order-1061/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await focused(page.getByRole('row', { name: /order-1060/ }));
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+X');
    await page.getByText('3 selected').waitFor();
    assert.deepEqual(await audit(page), []);
    await page.keyboard.press('a');
    await page.getByRole('row', { name: /order-1058/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByRole('row', { name: /order-1058/ }).waitFor();
    await page.getByRole('heading', { name: 'Conversions' }).click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('#opened', { hasText: 'order-1061' }).waitFor();
    await closeCleanly(open);
  });

  it('a list sorts, filters, paginates and exports CSV', async () => {
    const open = await contexts.open();
    const { page } = open;
    await go(open, 'list');
    const first = () => page.locator('tbody tr').first();
    await page.getByRole('button', { name: 'Next page' }).press('Enter');
    await first().filter({ hasText: 'order-1049' }).waitFor();
    await page.getByRole('button', { name: 'Next page' }).press('Enter');
    await first().filter({ hasText: 'order-1037' }).waitFor();
    await page.getByRole('button', { name: 'Previous page' }).press('Enter');
    await first().filter({ hasText: 'order-1049' }).waitFor();
    await page.getByRole('button', { name: 'Amount' }).press('Enter');
    await first().filter({ hasText: 'JP¥791,900.95' }).waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort'), 'descending');
    await page.getByRole('button', { name: 'Status', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'rejected', exact: true }).press('Enter');
    await page.getByText('10 rows', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Collaborator', exact: true }).press('Enter');
    await page.keyboard.type('ada');
    await page.getByRole('option', { name: /Ada/ }).waitFor();
    await page.getByRole('option', { name: /Grace/ }).waitFor({ state: 'detached' });
    assert.deepEqual(await audit(page), []);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Collaborator Ada Lovelace/ }).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).press('Enter');
    await page.getByText('1–12 of 61', { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).press('Enter');
    await page.getByRole('status').filter({ hasText: '2,000 of 3,000 rows' }).waitFor();
    assert.deepEqual(await audit(page), []);
    await page.evaluate("dispatchEvent(new Event('rest-of-file'))");
    assert.equal((await download).suggestedFilename(), 'conversions.csv');
    await page.getByText('of 3,000 rows').waitFor({ state: 'detached' });
    assert.equal((await readFile(await (await download).path(), 'utf8')).split('\r\n').length, 3_002);
    await closeCleanly(open);
  });

  it('a list that cannot be sorted as requested offers its default order', async () => {
    const open = await contexts.open();
    const { page } = open;
    await go(open, 'list');
    await page.getByRole('columnheader').getByRole('button', { name: 'Created' }).press('Enter');
    await page.getByRole('alert').waitFor();
    assert.deepEqual(await audit(page), []);
    await page.getByRole('button', { name: 'Use the default order' }).press('Enter');
    await page.locator('tbody tr').first().filter({ hasText: 'order-1061' }).waitFor();
    await closeCleanly(open);
  });

  it('rows of a list can be selected and sorted on a phone', async () => {
    const open = await browser.open({ ...READER, viewport: PHONE, hasTouch: true });
    const { page } = open;
    await go(open, 'list', '&status=pending');
    await page.getByRole('checkbox', { name: 'Select order-1061' }).tap();
    await page.getByText('1 selected').waitFor();
    // The toolbar covers rows while the list scrolls, and is below the last row at the end of the list.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    assert.deepEqual(await audit(page), []);
    assert.equal(await overflow(page), 0);
    await page.getByText('Select all on this page').tap();
    assert.ok(await page.getByRole('checkbox', { name: 'Select all on this page' }).isChecked());
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Amount ↑');
    await page.locator('tbody tr').first().filter({ hasText: '0.00' }).waitFor();
    await closeCleanly(open);
  });

  it('the code for charts and the code for QR codes are in separate files', () => {
    const lazy = [...site.sizes.keys()].filter((name) => /^(plot|dist)-.*\.js$/.test(name));
    assert.equal(lazy.length, 2, [...site.sizes.keys()].join(' '));
  });

  async function go(open: OpenPage, part: string, more = ''): Promise<void> {
    await open.page.goto(`${site.url}/?part=${part}${more}`);
    await open.page.getByRole('heading', { level: 1 }).waitFor();
    await open.page.locator('[aria-busy="true"]:is(table)').waitFor({ state: 'detached' });
  }

  /**
   * Returns the violations that axe finds. Base UI's focus guards are excluded, because they move the focus to another
   * element immediately.
   */
  async function audit(page: Page): Promise<string[]> {
    await page.evaluate(
      'Promise.all(document.getAnimations().filter((each) => each.effect.getTiming().iterations !== Infinity).map((each) => each.finished.catch(() => undefined)))',
    );
    await page.evaluate(axe);
    const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    return page.evaluate(`axe
      .run({ exclude: ['[data-base-ui-focus-guard]'] }, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
  }
});

function overflow(page: Page): Promise<number> {
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)');
}

async function focused(locator: ReturnType<Page['getByRole']>): Promise<void> {
  await locator.and(locator.page().locator(':focus')).waitFor();
}

async function closeCleanly(open: OpenPage): Promise<void> {
  assert.deepEqual(open.faults, []);
  await open.close();
}
