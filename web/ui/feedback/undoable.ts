/** An action that runs once, unless it is undone first. */
export type Later = {
  /** Runs the action now if it is still pending. */
  readonly now: () => void;
  /** Cancels the action. Returns true if it was still pending. */
  readonly undo: () => boolean;
};

/** The target of events about leaving the page: the window. */
export type UnloadTarget = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/**
 * Runs `run` after `delayMs` milliseconds, or earlier if the user leaves the page. Closing the tab must not lose a
 * change that was shown as done.
 */
export function scheduleUndoable(run: () => unknown, delayMs: number, page: UnloadTarget): Later {
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
