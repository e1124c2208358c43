import type { Page } from 'playwright-core';

/**
 * How many milliseconds it takes from what somebody does to the first frame that shows the beginning of the answer.
 * `answer` is an expression that holds in the page once it is there. The time begins with the first press or key that the
 * page is told of, stamped by the browser when it came in, so what delays its delivery counts as well.
 */
export async function answerTime(page: Page, answer: string, act: () => Promise<void>): Promise<number> {
  await page.evaluate(`(() => {
    const isThere = () => Boolean(${answer});
    if (isThere()) throw new Error('It is there before anything was done.');
    let began;
    const begin = ({ timeStamp }) => (began ??= timeStamp);
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, begin, { capture: true });
    globalThis.answered = new Promise((resolve) => {
      const look = () => {
        if (began === undefined || !isThere()) return requestAnimationFrame(look);
        // What a frame calls comes before it is drawn, and a message that is sent from there after it.
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
