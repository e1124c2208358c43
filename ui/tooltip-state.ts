import type { ReactNode } from 'react';

/** The tooltip that is there, and what it belongs to. */
export type Shown = { readonly anchor: Element; readonly content: ReactNode };

/** A pointer that merely passes shows nothing; one that goes from button to button is shown each at once. */
const DELAY_MS = 350;
/** Long enough to move from the anchor onto the tooltip. */
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

/** The one tooltip of a page. */
export const tooltips = {
  current: (): Shown | undefined => shown,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  show: (next: Shown): void => set(next),
  /** After a moment, unless the pointer has left by then. */
  soon: (next: Shown): void => {
    if (shown !== undefined) return set(next);
    clearTimeout(timer);
    timer = setTimeout(() => set(next.anchor.isConnected ? next : undefined), DELAY_MS);
  },
  hide: (): void => set(undefined),
  /** In a moment, unless the pointer comes onto the tooltip. */
  leave: (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => set(undefined), GRACE_MS);
  },
  stay: (): void => clearTimeout(timer),
};
