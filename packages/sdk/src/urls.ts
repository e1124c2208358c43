/**
 * Returns the base URL of the service's paths, without a slash at its end. Throws a TypeError if `baseUrl` is not an
 * HTTP URL.
 */
export function rootOf(baseUrl: string | URL | undefined): string {
  let url: URL;
  try {
    url = new URL(baseUrl ?? '');
  } catch {
    throw new TypeError(
      `baseUrl must be the URL of the service, such as https://whence.example, not ${JSON.stringify(baseUrl)}.`,
    );
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`baseUrl must begin with https:// or http://.`);
  return url.origin + withoutSlashesAtEnd(url.pathname);
}

/**
 * Removes slashes at the end. The pattern `/\/+$/` would take quadratic time if a path had a long run of slashes before
 * its end.
 */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

export function searchOf(query: object | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns the cursor of the next page from a Link header, or undefined if there is no next page. */
export function nextCursor(link: string | null, root: string): string | undefined {
  const next = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  return next === undefined ? undefined : (new URL(next, root).searchParams.get('after') ?? undefined);
}
