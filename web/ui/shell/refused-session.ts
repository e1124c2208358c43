import { createContext, use, useSyncExternalStore } from 'react';

/** The reason why another login is required: the session has ended, or is too old for the action. */
export type SignInReason = 'ended' | 'tooOld';

/** A store of the reason why another login is required. */
export type RefusedSession = {
  readonly reason: () => SignInReason | undefined;
  /** Records that a call was refused because the session has ended. */
  readonly end: () => void;
  /**
   * Records that a call needs a recent login. Resolves to true once the user has logged in on this page, and to false
   * if the user dismisses the login form or leaves the page.
   */
  readonly askForLogin: () => Promise<boolean>;
  /** Clears the refusal after another login on this page, so that the waiting calls are repeated. */
  readonly renew: () => void;
  /** Clears the refusal without repeating the waiting calls. */
  readonly dismiss: () => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export function refusedSession(): RefusedSession {
  let current: SignInReason | undefined;
  let waiting: readonly ((isRenewed: boolean) => void)[] = [];
  const listeners = new Set<() => void>();
  const settle = (isRenewed: boolean): void => {
    const settled = waiting;
    waiting = [];
    set(undefined);
    for (const resolve of settled) resolve(isRenewed);
  };
  const set = (to: SignInReason | undefined): void => {
    if (current === to) return;
    current = to;
    for (const listener of listeners) listener();
  };
  return {
    reason: () => current,
    end: () => set('ended'),
    askForLogin: () =>
      new Promise((resolve) => {
        waiting = [...waiting, resolve];
        set('tooOld');
      }),
    renew: () => settle(true),
    dismiss: () => settle(false),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const RefusedSessionContext = createContext<RefusedSession>(refusedSession());

export function useRefusedSession(): Pick<RefusedSession, 'renew' | 'dismiss'> & {
  readonly reason: SignInReason | undefined;
} {
  const { reason, renew, dismiss, subscribe } = use(RefusedSessionContext);
  return { reason: useSyncExternalStore(subscribe, reason), renew, dismiss };
}
