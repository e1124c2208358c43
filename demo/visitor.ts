import { Whence } from '@whence/sdk';

/** Asks as a page of the service does: without a key, and with the cookie of whoever has logged in. */
export function visitorOf(url: string, cookie?: string): Whence {
  const headers = { 'sec-fetch-site': 'same-origin', ...(cookie === undefined ? {} : { cookie }) };
  return new Whence({ baseUrl: url, apiKey: undefined, session: true, headers });
}
