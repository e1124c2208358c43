/** Something that will be done once, unless it is taken back before. */
export type Later = {
  /** Does it at once, if it is still to be done. */
  readonly now: () => void;
  /** True when that was in time. */
  readonly undo: () => boolean;
};

/** Who tells that the page is left: the window. */
export type Leaving = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/** Does `run` after `delayMs`, or as soon as the page is left: what was shown as done must not be lost with a closed tab. */
export function laterUntilUndone(run: () => unknown, delayMs: number, page: Leaving): Later {
  let open = true;
  const end = () => {
    const was = open;
    open = false;
    clearTimeout(timer);
    page.removeEventListener('pagehide', now);
    return was;
  };
  const now = () => {
    if (end()) void run();
  };
  const timer = setTimeout(now, delayMs);
  page.addEventListener('pagehide', now);
  return { now, undo: end };
}
