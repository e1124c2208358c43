import type { ReactNode } from 'react';

/** The visible tooltip and its anchor. */
export type Shown = { readonly anchor: Element; readonly content: ReactNode };

/**
 * The delay in milliseconds, so that a passing pointer shows nothing. If a tooltip is visible, the next one appears
 * immediately.
 */
const DELAY_MS = 350;
/** The time to move from the anchor onto the tooltip, in milliseconds. */
const GRACE_MS = 120;

let shown: Shown | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: Shown | undefined): void {
  clearTimeout(timer);
  if (shown === next) return;
  shown = next;
  for (const listener of listeners) listener();
}

/** The state of the page's only tooltip. */
export const tooltips = {
  current: (): Shown | undefined => shown,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  show: (next: Shown): void => set(next),
  /** Shows a tooltip after the delay, unless the pointer leaves first. */
  soon: (next: Shown): void => {
    if (shown !== undefined) return set(next);
    clearTimeout(timer);
    timer = setTimeout(() => set(next.anchor.isConnected ? next : undefined), DELAY_MS);
  },
  hide: (): void => set(undefined),
  /** Hides the tooltip shortly, unless the pointer moves onto it. */
  leave: (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => set(undefined), GRACE_MS);
  },
  stay: (): void => clearTimeout(timer),
};
