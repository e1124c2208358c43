export type WhenceOptions = {
  /** A publishable key, `pk_live_…`. */
  readonly key: string;
  /** The URL of the service: `https://whence.example.com`, or a path on your own site, such as `/whence`. */
  readonly url: string;
  /** The link parameter that names the collaborator: `ref` in `?ref=ada`. */
  readonly param?: string;
  /** The storage for the number. `server`: the cookie that your proxy sets. The script only reads and deletes it. */
  readonly storage?: 'cookie' | 'server' | 'local' | 'memory';
  /**
   * How many days the number is kept after the last visit. 0: until the browser (a cookie) or the tab (`local`)
   * closes.
   */
  readonly days?: number;
  /** The cookie's domain, such as `example.com`, to share the cookie with all subdomains. */
  readonly domain?: string;
  /** The prefix of all storage keys and cookie names. */
  readonly prefix?: string;
  /** `required`: nothing is sent or stored before `grant()`. */
  readonly consent?: 'implied' | 'required';
  /** Whether Global Privacy Control and Do Not Track count as a refusal. */
  readonly signals?: 'respect' | 'ignore';
  /** A selector for links that carry the number, such as `a[href^="https://checkout.example.com/"]`. */
  readonly links?: string;
  /** The parameter that carries the number in those links. */
  readonly linkParam?: string;
  /** Whether a page without a stored number adopts the number from this parameter of its address. */
  readonly adopt?: boolean;
  /** A selector of form fields that are filled with the number. */
  readonly fields?: string;
  /** Whether links to Stripe carry the number as `client_reference_id`. */
  readonly stripe?: boolean;
  /** The prefix of the service’s own headers, if the service sets HEADER_PREFIX. */
  readonly headerPrefix?: string;
};

export type Settings = Required<Omit<WhenceOptions, 'domain'>> & Pick<WhenceOptions, 'domain'>;

export const DEFAULTS = {
  param: 'ref',
  storage: 'cookie',
  days: 30,
  prefix: 'whence_',
  consent: 'implied',
  signals: 'respect',
  links: 'a[data-whence]',
  linkParam: 'trackingId',
  adopt: false,
  fields: 'input[data-whence]',
  stripe: false,
  // The service replaces this with its own prefix when it serves the file.
  headerPrefix: 'X-Service',
} as const;
