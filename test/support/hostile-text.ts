import assert from 'node:assert/strict';
import type { OpenPage } from './browser.ts';

/** A payload that would run, or break out of its surroundings, unless it is shown as plain text. */
const PAYLOAD = `"'><img src=x onerror=window.ran=1>{{window.ran=1}}`;

/**
 * Returns a hostile text that contains its field's name, so that a test can find where the text is shown. The text
 * is short enough for the fields that `openHostileShop` fills.
 */
export function hostileText(field: string): string {
  return `${field}${PAYLOAD}`;
}

/** Returns the page's title and text, the values of its fields, and its texts in attributes such as `aria-label`. */
export function shownText({ page }: OpenPage): Promise<string> {
  return page.evaluate<string>(`[
    document.title,
    document.body.textContent,
    ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    ...[...document.querySelectorAll('*')].flatMap((element) =>
      ['title', 'aria-label', 'alt', 'placeholder'].map((name) => element.getAttribute(name) ?? '')),
  ].join('\\n')`);
}

/** Asserts that no payload ran or became an element, that no script failed, and that no other host was contacted. */
export async function isInert({ page, ...open }: OpenPage): Promise<void> {
  assert.equal(await page.evaluate('window.ran'), undefined, page.url());
  const made = await page.evaluate(
    `[...document.querySelectorAll('img[src=x], script:not([src]), [onerror], [onmouseover], a[href^="javascript:" i]')].length`,
  );
  assert.equal(made, 0, page.url());
  assert.deepEqual([...open.scriptFaults(), ...open.requestsBeyond(new URL(page.url()).origin)], [], page.url());
}
