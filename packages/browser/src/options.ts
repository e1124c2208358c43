export type WhenceOptions = {
  /** A publishable key, `pk_live_…`. */
  readonly key: string;
  /** Where the service is: `https://whence.example.com`, or a path on your own site, such as `/whence`. */
  readonly url: string;
  /** The parameter of a link that names the collaborator: `ref` in `?ref=ada`. */
  readonly param?: string;
  /** Where the number is kept. `server`: in the cookie that a proxy of yours sets; it is read here, and deleted. */
  readonly storage?: 'cookie' | 'server' | 'local' | 'memory';
  /** How long it is kept after the last visit; 0: until the browser (a cookie) or the tab (`local`) is closed. */
  readonly days?: number;
  /** The domain of the cookie, such as `example.com`, to share it with every subdomain. */
  readonly domain?: string;
  /** What the names of all that is stored begin with. */
  readonly prefix?: string;
  /** `required`: nothing is sent or stored before `grant()`. */
  readonly consent?: 'implied' | 'required';
  /** Whether Global Privacy Control and Do Not Track count as a refusal. */
  readonly signals?: 'respect' | 'ignore';
  /** A selector of links that take the number along, such as `a[href^="https://checkout.example.com/"]`. */
  readonly links?: string;
  /** The parameter in which they take it. */
  readonly linkParam?: string;
  /** A selector of form fields that are filled with the number. */
  readonly fields?: string;
  /** Whether links to Stripe take it along as `client_reference_id`. */
  readonly stripe?: boolean;
  /** How the service’s own headers begin, where it was told another HEADER_PREFIX. */
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
  fields: 'input[data-whence]',
  stripe: false,
  // The service that serves this file writes its own prefix here.
  headerPrefix: 'X-Service',
} as const;
