/** Whether another page shows the portal in a frame. That page already has a heading. */
export const IS_EMBEDDED = window.parent !== window;

/**
 * Sends the height of this page to the embedding page, which resizes the frame: `{ type: 'whence-portal', height }`.
 * The message may be sent to any origin, because only the origins in the portal settings can embed the portal.
 */
export function startEmbedding(): void {
  if (!IS_EMBEDDED) return;
  document.documentElement.dataset['embedded'] = '';
  new ResizeObserver(() => {
    // Measure the body. The document is never smaller than its frame, so a frame with the document's height could never
    // shrink.
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    window.parent.postMessage({ type: 'whence-portal', height }, '*');
  }).observe(document.body);
}
