import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AuthenticationError, Whence } from '@whence/sdk';
import { createContext, type ReactNode, useContext } from 'react';
import type { Place } from './place.ts';
import { type Fetch, repeatedAfterLogin } from './repeated-after-login.ts';

/** The time during which data counts as fresh, in milliseconds. Quick navigation between pages causes no new calls. */
const FRESH_FOR_MS = 5_000;

/**
 * Creates the SDK's client, which sends the cookie of the logged-in user. If a call needs a recent login, the client
 * calls `askForLogin`. If that resolves to true, the client repeats the call, so that the user doesn't need to repeat
 * the action.
 */
export function openApi({ serviceUrl, headerPrefix }: Place, askForLogin: () => Promise<boolean>): Whence {
  const fetch = repeatedAfterLogin(leavingFetch(), askForLogin);
  return new Whence({ baseUrl: serviceUrl, apiKey: undefined, session: true, headerPrefix, fetch });
}

/** Returns a `fetch` that completes requests sent while the user leaves the page, such as a pending undoable change. */
function leavingFetch(): Fetch {
  let keepalive = false;
  // Run before all other listeners, because they may send requests.
  addEventListener('pagehide', () => (keepalive = true), { capture: true });
  addEventListener('pageshow', () => (keepalive = false), { capture: true });
  return (url, init) => fetch(url, { ...init, keepalive });
}

/**
 * Creates the query client. `onEnded` is called for each query or mutation that was refused because the session has
 * ended.
 */
export function openQueryClient(onEnded: () => void): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof AuthenticationError && error.code === 'unauthenticated') onEnded();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The SDK already retries temporary failures.
      queries: { retry: false, staleTime: FRESH_FOR_MS },
      mutations: { retry: false },
    },
  });
}

const ApiContext = createContext<Whence | undefined>(undefined);

export function ApiProvider({ api, children }: { readonly api: Whence; readonly children: ReactNode }) {
  return <ApiContext value={api}>{children}</ApiContext>;
}

/** Returns the API client of `packages/sdk`: `useApi().programs.list({ status: 'active' })`. */
export function useApi(): Whence {
  const api = useContext(ApiContext);
  if (api === undefined)
    throw new Error('This component has no surrounding ApiProvider. Render the component inside an ApiProvider.');
  return api;
}
