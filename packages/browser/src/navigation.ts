/** Whether this page was loaded from elsewhere: not again, not by going back, not by a link of the same site. */
export function isFreshLoad(): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return !/^(reload|back)/.test(load?.type ?? '') && !document.referrer.startsWith(`${location.origin}/`);
}

/** Calls back when the address has changed without loading, when the page returns, and when the network does. */
export function onReturn(callback: () => void): void {
  for (const type of ['popstate', 'pageshow', 'online']) addEventListener(type, callback);
  const { navigation } = window as { readonly navigation?: EventTarget };
  // Tells of every change, also of those that need no pushState; where it is missing, pushState has to tell.
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

/** A page that is loaded ahead may never be seen: calls back once it is. */
export function onceSeen(callback: () => void): void {
  if ('prerendering' in document && document.prerendering) {
    document.addEventListener('prerenderingchange', callback, { once: true });
  } else callback();
}
