/**
 * Returns whether this page load is fresh: not a reload, not back or forward navigation, and not a link from the same
 * origin.
 */
export function isFreshLoad(): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return !/^(reload|back)/.test(load?.type ?? '') && !document.referrer.startsWith(`${location.origin}/`);
}

/**
 * Calls `callback` when the address changes without a load, when the network returns, and when the page is shown after
 * a load or from the back/forward cache.
 */
export function onReturn(callback: () => void): void {
  for (const type of ['popstate', 'pageshow', 'online']) addEventListener(type, callback);
  const { navigation } = window as { readonly navigation?: EventTarget };
  // The Navigation API reports every change, including changes without pushState. If it is missing, wrap pushState and
  // replaceState.
  if (navigation) navigation.addEventListener('currententrychange', callback);
  else wrapHistory(callback);
}

function wrapHistory(callback: () => void): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = function (this: History, ...change) {
      original.apply(this, change);
      callback();
    };
  }
}

/**
 * Calls `callback` immediately or, on a prerendered page, once the page is shown. A prerendered page may never be
 * shown.
 */
export function onceSeen(callback: () => void): void {
  if ('prerendering' in document && document.prerendering) {
    document.addEventListener('prerenderingchange', callback, { once: true });
  } else callback();
}
