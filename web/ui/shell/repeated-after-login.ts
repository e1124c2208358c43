/** The time limit for a call that is repeated after a login, in milliseconds. */
const REPEAT_LIMIT_MS = 30_000;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` that calls `askForLogin` if a call needs a recent login. If that resolves to true, the call is
 * repeated, unless its caller has aborted it.
 */
export function repeatedAfterLogin(send: Fetch, askForLogin: () => Promise<boolean>): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (response.status !== 403) return response;
    const { status, headers } = response;
    const body = await response.text();
    const refusal = new Response(body, { status, headers });
    if (!body.includes('"log-in-too-old"') || !(await askForLogin())) return refusal;
    return send(url, { ...init, signal: repeatSignal(init.signal) });
  };
}

/**
 * Returns a signal that aborts when the caller aborts, or after REPEAT_LIMIT_MS. The time limit of the first call
 * doesn't apply, because it may have expired during the login.
 */
function repeatSignal(first: AbortSignal | null | undefined): AbortSignal {
  const limit = AbortSignal.timeout(REPEAT_LIMIT_MS);
  if (first === null || first === undefined) return limit;
  const stop = new AbortController();
  const follow = (): void => {
    const { reason } = first as { readonly reason: unknown };
    if (!(reason instanceof Error && reason.name === 'TimeoutError')) stop.abort(reason);
  };
  if (first.aborted) follow();
  else first.addEventListener('abort', follow, { once: true });
  return AbortSignal.any([stop.signal, limit]);
}
