import { useEffect, useState, useSyncExternalStore } from 'react';

/** A part of the page that loads shortly before it is used, such as the content of a popup. */
export type OnDemand<Part> = {
  readonly load: () => Promise<void>;
  readonly state: () => { readonly part?: Part; readonly failed?: unknown };
  readonly subscribe: (listener: () => void) => () => void;
};

/** The parts that the page may need and that haven't been requested. */
const waiting = new Set<() => Promise<unknown>>();
/** The pages that the user may open next. */
const ahead: (() => Promise<unknown>)[] = [];
/** Wait before loading further pages, so that short visits load only what they show. */
const AHEAD_AFTER_MS = 1_000;
let isSomebodyThere = false;

/**
 * Defines such a part: `onDemand(() => import('./dialog-window.tsx'))`.
 *
 * It loads when it is first needed, or when the user is active on the page and the browser is idle. So it is ready
 * before a popup opens, but isn't part of the initial load.
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

/** Returns the part, or undefined until it has loaded. Loads it as soon as it is wanted. Throws if loading fails. */
export function usePart<Part>({ load, state, subscribe }: OnDemand<Part>, wanted: boolean): Part | undefined {
  const { part, failed } = useSyncExternalStore(subscribe, state);
  // A part that was open stays mounted for its closing animation.
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
 * Registers a page that the user may open next. These pages load last, one after the other, while the browser is idle,
 * so that their first visit is fast. In data saving mode, none are loaded.
 */
export function inAdvance(fetch: () => Promise<unknown>): void {
  ahead.push(fetch);
}

/** Waits for the first user activity, then loads the parts that may be needed. UiProvider calls it once. */
export function prepareParts(): () => void {
  const begin = (event: Event) => {
    // Browsers fire `pointermove` when a page loads under a still pointer.
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

/** Loads all waiting parts. A part that fails loads again when it is needed. */
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
