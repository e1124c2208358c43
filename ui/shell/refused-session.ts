import { createContext, use, useSyncExternalStore } from 'react';

/** Why somebody is to sign in again: their session has ended, or is too old for what they wanted to do. */
export type SignInReason = 'ended' | 'tooOld';

/** Knows whether a call was refused because of the session that it came with. */
export type RefusedSession = {
  readonly reason: () => SignInReason | undefined;
  /** A call was refused. */
  readonly refuse: (reason: SignInReason) => void;
  /** Somebody has signed in again, or leaves it where their session is but too old. */
  readonly renew: () => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export function refusedSession(): RefusedSession {
  let current: SignInReason | undefined;
  const listeners = new Set<() => void>();
  const set = (to: SignInReason | undefined): void => {
    if (current === to) return;
    current = to;
    for (const listener of listeners) listener();
  };
  return {
    reason: () => current,
    refuse: set,
    renew: () => set(undefined),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const RefusedSessionContext = createContext<RefusedSession>(refusedSession());

export function useRefusedSession(): { readonly reason: SignInReason | undefined; readonly renew: () => void } {
  const { reason, renew, subscribe } = use(RefusedSessionContext);
  return { reason: useSyncExternalStore(subscribe, reason), renew };
}
