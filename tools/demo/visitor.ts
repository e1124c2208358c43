import { Whence } from '@whence/sdk';

/**
 * Returns a client that calls the API as a page of the service does: without a key, with a session cookie if one is
 * given.
 */
export function visitorOf(url: string, cookie?: string): Whence {
  const headers = { 'sec-fetch-site': 'same-origin', ...(cookie === undefined ? {} : { cookie }) };
  return new Whence({ baseUrl: url, apiKey: undefined, session: true, headers });
}
