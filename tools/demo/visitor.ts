import { Whence } from '@whence/sdk';

/**
 * Returns a client that calls the API as a page of the service does: without a key, with a session cookie and from a
 * network address if they are given.
 */
export function visitorOf(
  url: string,
  { cookie, address }: { cookie?: string | undefined; address?: string | undefined } = {},
): Whence {
  const headers = {
    'sec-fetch-site': 'same-origin',
    ...(cookie === undefined ? {} : { cookie }),
    ...(address === undefined ? {} : { 'x-forwarded-for': address }),
  };
  return new Whence({ baseUrl: url, apiKey: undefined, session: true, headers });
}
