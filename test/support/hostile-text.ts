import assert from 'node:assert/strict';
import type { OpenPage } from './browser.ts';

/** What would run, or break out of what it stands in, were it not shown as the text that it is. */
const PAYLOAD = `"'><img src=x onerror=window.ran=1>{{window.ran=1}}`;

/** A text for a field, which tells where it was shown. It is short enough for every field of people’s own words. */
export function hostileText(field: string): string {
  return `${field}${PAYLOAD}`;
}

/** What a page shows, and what stands in its fields and in the names of what has none. */
export function shownText({ page }: OpenPage): Promise<string> {
  return page.evaluate<string>(`[
    document.title,
    document.body.textContent,
    ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    ...[...document.querySelectorAll('*')].flatMap((element) =>
      ['title', 'aria-label', 'alt', 'placeholder'].map((name) => element.getAttribute(name) ?? '')),
  ].join('\\n')`);
}

/** Nothing of it has run, nor become a part of the page, nor was anybody else asked for anything. */
export async function isInert({ page, ...open }: OpenPage): Promise<void> {
  assert.equal(await page.evaluate('window.ran'), undefined, page.url());
  const made = await page.evaluate(
    `[...document.querySelectorAll('img[src=x], script:not([src]), [onerror], [onmouseover], a[href^="javascript:" i]')].length`,
  );
  assert.equal(made, 0, page.url());
  assert.deepEqual([...open.scriptFaults(), ...open.requestsBeyond(new URL(page.url()).origin)], [], page.url());
}
