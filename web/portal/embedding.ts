/** Whether the portal is embedded in a frame of another page. That page has its own heading. */
export const IS_EMBEDDED = window.parent !== window;

/**
 * Sends this page's height to the embedding page, which sizes the frame: `{ type: 'whence-portal', height }`. Any
 * target is fine, because only pages that the portal's settings list can embed it.
 */
export function startEmbedding(): void {
  if (!IS_EMBEDDED) return;
  document.documentElement.dataset['embedded'] = '';
  new ResizeObserver(() => {
    // Measure the body: the document is never smaller than its frame, so the frame could only grow.
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    window.parent.postMessage({ type: 'whence-portal', height }, '*');
  }).observe(document.body);
}
