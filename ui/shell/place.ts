/** Where this page was served, and how the service speaks. */
export type Place = {
  /** The service's origin with its base path: what the SDK's client takes. */
  readonly serviceUrl: string;
  /** The path below which the application lies: `/console`, `/whence/portal/mugs`. */
  readonly root: string;
  readonly headerPrefix: string;
};

/** As the service has written it into the page: index.html is the same for every base path until it is sent. */
export function placeOf(document: Document): Place {
  const { base = '', root = '', headerPrefix = 'X-Service' } = document.documentElement.dataset;
  return { serviceUrl: new URL(base, new URL(document.baseURI).origin).href.replace(/\/$/, ''), root, headerPrefix };
}
