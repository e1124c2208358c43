/** Whether the portal stands in a frame of another page, which then has a heading of its own. */
export const IS_EMBEDDED = window.parent !== window;

/**
 * Tells the page around how high this one is, so that it can make the frame as high: `{ type: 'whence-portal', height }`,
 * to whichever page it is, since only those that the portal's settings name may have it in a frame.
 */
export function startEmbedding(): void {
  if (!IS_EMBEDDED) return;
  document.documentElement.dataset['embedded'] = '';
  new ResizeObserver(() => {
    // The body's own: the document is never lower than its frame, which could only grow then.
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    window.parent.postMessage({ type: 'whence-portal', height }, '*');
  }).observe(document.body);
}
