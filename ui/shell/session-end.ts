import { createContext, use, useSyncExternalStore } from 'react';

/** Knows whether a call was refused because the session has ended. */
export type SessionEnd = {
  readonly hasEnded: () => boolean;
  readonly end: () => void;
  /** Somebody has signed in again. */
  readonly renew: () => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export function sessionEnd(): SessionEnd {
  let ended = false;
  const listeners = new Set<() => void>();
  const set = (to: boolean): void => {
    if (ended === to) return;
    ended = to;
    for (const listener of listeners) listener();
  };
  return {
    hasEnded: () => ended,
    end: () => set(true),
    renew: () => set(false),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const SessionEndContext = createContext<SessionEnd>(sessionEnd());

export function useSessionEnd(): { readonly ended: boolean; readonly renew: () => void } {
  const { hasEnded, renew, subscribe } = use(SessionEndContext);
  return { ended: useSyncExternalStore(subscribe, hasEnded), renew };
}
