/** The URLs and settings that the service wrote into the page. */
export type Place = {
  /** The service's origin with its base path, for the SDK's client. */
  readonly serviceUrl: string;
  /** The path of the application: `/console`, `/whence/portal/mugs`. */
  readonly root: string;
  /** The slug of the portal. Empty in the console, and on the domain of a closed portal. */
  readonly slug: string;
  readonly headerPrefix: string;
  /** The version of the service. Undefined in the portal. */
  readonly version: string | undefined;
  /** Whether the service has a mail server. Without a mail server, the service prints its emails. */
  readonly sendsMail: boolean;
};

/**
 * Reads the URLs and settings of the page from attributes that the service adds when it sends index.html. The file
 * itself is the same for every base path.
 */
export function placeOf(document: Document): Place {
  const {
    base = '',
    root = '',
    slug = '',
    headerPrefix = 'X-Service',
    version,
    sendsMail,
  } = document.documentElement.dataset;
  return {
    serviceUrl: new URL(base, new URL(document.baseURI).origin).href.replace(/\/$/, ''),
    root,
    slug,
    headerPrefix,
    version,
    sendsMail: sendsMail === 'true',
  };
}
