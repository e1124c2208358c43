import { useEffect, useState, useSyncExternalStore } from 'react';

/** A part of the page that comes when somebody is about to use it, such as the inside of a popup. */
export type OnDemand<Part> = {
  readonly load: () => Promise<void>;
  readonly state: () => { readonly part?: Part; readonly failed?: unknown };
  readonly subscribe: (listener: () => void) => () => void;
};

/** Those that the page may want, and have not come yet. */
const waiting = new Set<() => Promise<unknown>>();
/** Pages that may be gone to. */
const ahead: (() => Promise<unknown>)[] = [];
/** Whoever only looks in is sent no more than they look at. */
const AHEAD_AFTER_MS = 1_000;
let isSomebodyThere = false;

/**
 * Names such a part: `onDemand(() => import('./dialog-window.tsx'))`. It comes when it is first wanted, or as soon as
 * somebody moves, presses or types on the page and the browser has nothing else to do: so it is there before a popup opens,
 * and is no part of what a page loads first.
 */
export function onDemand<Part>(fetch: () => Promise<Part>): OnDemand<Part> {
  let state: ReturnType<OnDemand<Part>['state']> = {};
  let coming: Promise<Part> | undefined;
  const listeners = new Set<() => void>();
  const set = (now: typeof state) => {
    state = now;
    for (const listener of listeners) listener();
  };
  const get = async () => {
    waiting.delete(get);
    coming ??= fetch();
    try {
      const part = await coming;
      if (state.part === undefined) set({ part });
    } catch (error) {
      coming = undefined;
      throw error;
    }
  };
  waiting.add(get);
  if (isSomebodyThere) whenIdle(prepare);
  return {
    load: () => get().catch((failed: unknown) => set({ failed })),
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The part once it is there, and undefined before; it is asked for as soon as it is wanted. That it can't be had is thrown. */
export function usePart<Part>({ load, state, subscribe }: OnDemand<Part>, wanted: boolean): Part | undefined {
  const { part, failed } = useSyncExternalStore(subscribe, state);
  // What opens goes on being there, to close in its own way.
  const [wasWanted, setWanted] = useState(wanted);
  if (wanted && !wasWanted) setWanted(true);
  useEffect(() => {
    if (wanted) void load();
  }, [load, wanted]);
  if (!wanted && !wasWanted) return undefined;
  if (part === undefined && failed !== undefined) throw failed;
  return part;
}

/**
 * Names a page that somebody may go to from here. Those come last, one after the other, while the browser has nothing else to do: so that the
 * first visit of each answers at once. Where data is to be saved, none does.
 */
export function inAdvance(fetch: () => Promise<unknown>): void {
  ahead.push(fetch);
}

/** Waits for the first sign of somebody, and fetches then what they may want. UiProvider calls it once. */
export function prepareParts(): () => void {
  const begin = (event: Event) => {
    // Browsers tell a pointer that rests of the page that came beneath it.
    if (event.type === 'pointermove' && isStill(event as PointerEvent)) return;
    performance.mark(`somebody is there: ${event.type}`);
    forget();
    isSomebodyThere = true;
    whenIdle(prepare);
    setTimeout(() => void prepareAhead(), AHEAD_AFTER_MS);
  };
  const forget = () => {
    for (const sign of SIGNS) removeEventListener(sign, begin, true);
  };
  for (const sign of SIGNS) addEventListener(sign, begin, { capture: true, passive: true });
  return forget;
}

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'];

function isStill({ movementX, movementY }: PointerEvent): boolean {
  return movementX === 0 && movementY === 0;
}

/** What does not come now is fetched when it is wanted. */
function prepare(): void {
  for (const get of waiting) get().catch(() => {});
}

async function prepareAhead(): Promise<void> {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  if (connection?.saveData === true) return;
  for (let fetch = ahead.shift(); fetch !== undefined; fetch = ahead.shift()) {
    await new Promise<void>(whenIdle);
    await fetch().catch(() => {});
  }
}

function whenIdle(run: () => void): void {
  // Safari has no `requestIdleCallback`.
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 500 });
  else setTimeout(run, 100);
}
