import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AuthenticationError, Whence, WhenceError } from '@whence/sdk';
import { createContext, type ReactNode, useContext } from 'react';
import type { Place } from './place.ts';
import type { SignInReason } from './refused-session.ts';

/** What was read is taken as new for so long: going back and forth between pages asks nothing again. */
const FRESH_FOR_MS = 5_000;

/** The SDK's client, with the cookie of whoever has signed in. */
export function openApi({ serviceUrl, headerPrefix }: Place): Whence {
  return new Whence({ baseUrl: serviceUrl, apiKey: undefined, session: true, headerPrefix, fetch: leavingFetch() });
}

/** What is sent while the page is being left, such as a change that was held back to be undone, is sent to its end. */
function leavingFetch(): typeof fetch {
  let keepalive = false;
  // Before anybody else hears of it.
  addEventListener('pagehide', () => (keepalive = true), { capture: true });
  addEventListener('pageshow', () => (keepalive = false), { capture: true });
  return (url, init) => fetch(url, { ...init, keepalive });
}

/** `onRefused` hears of every call for which somebody has to sign in again. */
export function openQueryClient(onRefused: (reason: SignInReason) => void): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof AuthenticationError && error.code === 'unauthenticated') onRefused('ended');
    if (error instanceof WhenceError && error.code === 'log-in-too-old') onRefused('tooOld');
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The SDK sends again what may succeed then.
      queries: { retry: false, staleTime: FRESH_FOR_MS },
      mutations: { retry: false },
    },
  });
}

const ApiContext = createContext<Whence | undefined>(undefined);

export function ApiProvider({ api, children }: { readonly api: Whence; readonly children: ReactNode }) {
  return <ApiContext value={api}>{children}</ApiContext>;
}

/** The API, as `packages/sdk` has it: `useApi().programs.list({ status: 'active' })`. */
export function useApi(): Whence {
  const api = useContext(ApiContext);
  if (api === undefined) throw new Error('There is no ApiProvider above.');
  return api;
}
