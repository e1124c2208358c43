import { createContext, use, useSyncExternalStore } from 'react';

/** Why another login is required: the session has ended, or is too old for the action. */
export type SignInReason = 'ended' | 'tooOld';

/** A store of the reason why another login is required. */
export type RefusedSession = {
  readonly reason: () => SignInReason | undefined;
  /** Records that a call was refused because of its session. */
  readonly refuse: (reason: SignInReason) => void;
  /** Clears the refusal after another login, or when the user dismisses the login form. */
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
