import type { Page } from 'playwright-core';

/**
 * Returns the time from a user action to the first frame that shows the beginning of the response, in milliseconds.
 * `answer` is an expression that is true in the page once the response is visible. The time starts with the first
 * pointer or key event, at the timestamp of the browser's input, so delays in delivering the event are included. Throws
 * if the response is visible before the action.
 */
export async function answerTime(page: Page, answer: string, act: () => Promise<void>): Promise<number> {
  await page.evaluate(`(() => {
    const isThere = () => Boolean(${answer});
    if (isThere()) throw new Error('The response is visible before the action.');
    let began;
    const begin = ({ timeStamp }) => (began ??= timeStamp);
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, begin, { capture: true });
    globalThis.answered = new Promise((resolve) => {
      const look = () => {
        if (began === undefined || !isThere()) return requestAnimationFrame(look);
        // Animation callbacks run before their frame is drawn. A message posted in a callback is delivered after the
        // frame is drawn.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - began);
        port2.postMessage(undefined);
      };
      requestAnimationFrame(look);
    });
  })()`);
  await act();
  return page.evaluate<number>('globalThis.answered');
}
