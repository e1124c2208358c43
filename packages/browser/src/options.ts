export type WhenceOptions = {
  /** A publishable key, `pk_live_…`. */
  readonly key: string;
  /** The URL of the service: `https://whence.example.com`, or a path on your own site, such as `/whence`. */
  readonly url: string;
  /** The link parameter with the referral code: `ref` in `?ref=ada`. */
  readonly param?: string;
  /**
   * Where the tracking id is stored. `server` means a cookie that your server sets. The script only reads and deletes
   * that cookie.
   */
  readonly storage?: 'cookie' | 'server' | 'local' | 'memory';
  /**
   * The number of days for which the tracking id is kept after the last visit. With 0, it is kept until the browser is
   * closed (`cookie`) or the tab is closed (`local`).
   */
  readonly days?: number;
  /** The cookie's domain, such as `example.com`, to share the cookie with all subdomains. */
  readonly domain?: string;
  /** The prefix of all storage keys and cookie names. */
  readonly prefix?: string;
  /** Whether reports need the visitor’s consent. With `required`, nothing is sent or stored before `grant()`. */
  readonly consent?: 'implied' | 'required';
  /** Whether Global Privacy Control and Do Not Track count as a refusal. */
  readonly signals?: 'respect' | 'ignore';
  /** A selector for links that get the tracking id, such as `a[href^="https://checkout.example.com/"]`. */
  readonly links?: string;
  /** The name of the link parameter for the tracking id. */
  readonly linkParam?: string;
  /**
   * Whether to store the tracking id from the parameter `linkParam` of the page’s address, if no tracking id is stored
   * yet. Default: false.
   */
  readonly adopt?: boolean;
  /** A selector for form fields that are filled with the tracking id. */
  readonly fields?: string;
  /** Whether links to Stripe get the tracking id as `client_reference_id`. */
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
  // The service replaces `X-Service` with its own prefix when it serves the built file.
  headerPrefix: 'X-Service',
} as const;
