/** The error of a page whose code could not be loaded, because the service can't be reached. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** The code of the SDK's errors for the same cause, which selects the texts. */
  readonly code = 'connection-failed';
}

/** Returns whether the service sends the current page. */
export function isReachable(): Promise<boolean> {
  return fetch(location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
