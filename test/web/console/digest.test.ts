import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { audit, card, DESK, IN_HAND, openPages, type Pages } from '../../support/pages.ts';

/** A port that refuses connections, so that emails stay queued. */
const SMTP_URL = 'smtp://127.0.0.1:9';

describe('the summary email', () => {
  let pages: Pages;
  before(async () => {
    pages = await openPages({ SMTP_URL });
  });
  after(() => pages.close());

  for (const [place, options] of [
    ['on a desktop', { viewport: DESK }],
    ['on a phone', IN_HAND],
  ] as const) {
    it(`${place}, a person requests a confirmation email and turns the summary off`, async () => {
      const open = await pages.open('/settings/account', await pages.person('owner'), options);
      const { page } = open;
      const summary = card(page, 'Summary by email');
      const frequency = summary.getByLabel('Send the summary');
      await frequency.waitFor();
      assert.equal(await frequency.inputValue(), 'weekly');
      await audit(open);
      await summary.getByRole('button', { name: 'Send a confirmation email' }).click();
      await page.getByText('Open the link in the email to confirm your address').waitFor();
      await frequency.selectOption('Never');
      await page.getByText('The summary is saved').waitFor();
      await summary.getByText('once your address is confirmed').waitFor({ state: 'detached' });
      await page.reload();
      await frequency.waitFor();
      assert.equal(await frequency.inputValue(), 'never');
      await audit(open);
      await open.close();
    });
  }
});
