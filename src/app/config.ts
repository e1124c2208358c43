import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { KEY_PREFIXES } from '#access/domain/api-key.ts';
import { CUSTOM_DOMAIN_PATTERN } from '#organizations/domain/custom-domains.ts';
import { POOLERS } from '#platform/postgres/pool.ts';

/** Returns a schema that treats an empty string as not set, as for a bare `NAME=` in an `.env` file. */
const setting = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be an integer from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be an integer from ${min} to ${max}`);

const key = (kind: keyof typeof KEY_PREFIXES) =>
  setting(
    z
      .string()
      .regex(
        new RegExp(`^${KEY_PREFIXES[kind]}[\\x21-\\x7e]{32,200}$`),
        `must be ${KEY_PREFIXES[kind]} followed by 32 to 200 visible ASCII characters`,
      )
      .optional(),
  );

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
  .optional();

/** Returns the elements of a list setting, such as `10.0.0.0/8, 192.168.1.1`. */
export function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

const HEADER_PREFIX = /^[A-Za-z][A-Za-z0-9-]{0,31}$/;

function hasDuplicates(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}

/**
 * Returns whether the HTTP server accepts the text as an address or a range of trusted proxies. The server would also
 * refuse an invalid range, but its error wouldn't contain the name of the setting.
 */
function isAddressRange(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  // Check the address separately, because the library for ranges reads 1.2.3 as 1.2.0.3.
  const isAddress = isIP(text.split('/')[0] ?? '') !== 0;
  return isAddress && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text));
}

/**
 * All settings, read from the environment. A test checks that `.env.example` and the table in
 * docs/reference/operating.md list exactly these settings.
 */
export const settings = z.object({
  PORT: setting(integer(0, 65_535).default(8080)).describe('Port to listen on. 0 means any free port.'),
  HOST: setting(z.string().default('127.0.0.1')).describe(
    'Address to listen on. `0.0.0.0` or `::` means all addresses.',
  ),
  BASE_PATH: setting(
    z
      .string()
      .regex(/^\/([\w.~-]+(\/[\w.~-]+)*)?$/, 'must begin with a slash and must not end with a slash, such as /whence')
      .default('/'),
  ).describe('The path under which the service is mounted.'),
  PUBLIC_URL: setting(
    z
      .string()
      .regex(
        /^https?:\/\/[^/?#\s]+(\/[^?#\s]+)?$/,
        'must be a URL such as https://whence.example.com, without a slash at its end',
      )
      .refine((text) => URL.canParse(text), 'must be a URL')
      .optional(),
  ).describe(
    'The public URL of the service, with `BASE_PATH`. Links, cookies and passkeys use it. If not set: `http://localhost`, with `PORT` and `BASE_PATH`.',
  ),
  DATABASE_URL: setting(databaseUrl).describe(
    'The URL of a PostgreSQL database, version 15 or newer. If not set: an embedded PostgreSQL in `WHENCE_DATA_DIR`.',
  ),
  DATABASE_OWNER_URL: setting(databaseUrl).describe(
    'The same database, with the user who owns and migrates it. The user of `DATABASE_URL` then only needs to read and write rows. If not set: `DATABASE_URL`.',
  ),
  DATABASE_READ_URL: setting(databaseUrl).describe(
    'A streaming replica of the database, for lists and reports that may be up to ten seconds old.',
  ),
  DATABASE_CONNECTIONS: setting(integer(8, 500).default(20)).describe(
    'The maximum number of connections of one process. One more is used while the process runs a backtest.',
  ),
  DATABASE_POOLER: setting(z.enum(POOLERS).default('none')).describe(
    'The pooler in front of the database: `transaction` for a pooler in transaction mode, such as PgBouncer.',
  ),
  WHENCE_DATA_DIR: setting(z.string().default('./data')).describe(
    'The folder with the data of the embedded PostgreSQL.',
  ),
  VISIT_RETENTION_DAYS: setting(integer(0, 36_500).default(0)).describe(
    'Days for which visits are kept, but never less than the longest window of a program plus `LATE_REPORT_DAYS`. 0 means forever.',
  ),
  LATE_REPORT_DAYS: setting(integer(0, 365).default(30)).describe(
    'The maximum age of a report’s `occurredAt`, in days.',
  ),
  CONNECTOR_PAYLOAD_DAYS: setting(integer(0, 36_500).default(90)).describe(
    'Days for which the payloads of connectors’ events are kept. They contain personal data. 0 means forever.',
  ),
  WHENCE_SECRET_KEY: key('secret').describe(
    'A secret key of the first organization, added if it does not exist. Without it, the first start creates a key and prints it once.',
  ),
  WHENCE_PUBLISHABLE_KEY: key('publishable').describe(
    'A publishable key of the first organization, added in the same way.',
  ),
  WHENCE_ENCRYPTION_KEY: setting(
    z
      .string()
      .regex(/^([0-9a-f]{64}|[\w+/-]{43}=?)$/i, 'must be 32 bytes, as 64 hex digits or as base64')
      .optional(),
  ).describe(
    'Encrypts payout details, tax details, bank accounts of merchants, emails waiting to be sent, and the secrets of webhooks, connectors and second factors. 32 bytes, as hex or base64. Without it, a key file is created in `WHENCE_DATA_DIR`. All processes on the same database need the same key.',
  ),
  HEADER_PREFIX: setting(
    z
      .string()
      .refine(
        (text) => listOf(text).every((prefix) => HEADER_PREFIX.test(prefix)),
        'must be prefixes of letters, digits and dashes, separated by commas',
      )
      .refine((text) => !hasDuplicates(listOf(text.toLowerCase())), 'must not contain the same prefix twice')
      .default('X-Service'),
  ).describe(
    'Prefix of the service’s own headers, or several prefixes, separated by commas. Requests can use any of these prefixes, and responses contain each header with every prefix. The documentation at `/docs` uses the first prefix.',
  ),
  WHENCE_ROLE: setting(z.enum(['all', 'api', 'worker']).default('all')).describe(
    'What this process does: `api` answers requests, `worker` decides sales and refunds and sends webhooks and emails, and `all` does both.',
  ),
  RATE_LIMIT_SECRET: setting(integer(0, 100_000).default(0)).describe(
    'The maximum number of requests per second of one secret key to each process. 0 means no limit.',
  ),
  RATE_LIMIT_PUBLISHABLE: setting(integer(0, 100_000).default(50)).describe(
    'The maximum number of requests per second of one network with one publishable key to each process. 0 means no limit.',
  ),
  TRUSTED_PROXIES: setting(
    z
      .string()
      .refine((text) => listOf(text).every(isAddressRange), 'must be addresses or ranges such as 10.0.0.0/8')
      .optional(),
  ).describe('Addresses or ranges of proxies whose `X-Forwarded-For` is trusted, separated by commas.'),
  CUSTOM_DOMAINS: setting(
    z
      .string()
      .refine(
        (text) => listOf(text).every((entry) => CUSTOM_DOMAIN_PATTERN.test(entry)),
        'must be domains such as go.shop.example or go.shop.example=2, separated by commas',
      )
      .optional(),
  ).describe(
    'Domains that organizations may use for short links and portals, separated by commas. `go.shop.example=2` is for the organization 2, and `go.shop.example` for any organization.',
  ),
  WEBHOOKS_PRIVATE_ADDRESSES: setting(z.enum(['true', 'false']).default('false')).describe(
    'Whether webhooks may use private addresses and `http://`, for development and tests. Metadata and platform addresses of clouds are always refused.',
  ),
  SMTP_URL: setting(
    z
      .string()
      .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
      .optional(),
  ).describe(
    'The mail server that sends emails: `smtps://user:password@mail.example.com`. Without it, each email is printed to standard output.',
  ),
  MAIL_FROM: setting(z.string().default('Whence <whence@localhost>')).describe('The sender of emails.'),
  LOG_LEVEL: setting(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info')).describe(
    'The lowest level that is logged.',
  ),
});

export type Config = z.output<typeof settings>;

/**
 * The error for invalid settings, with one line for each fault. It is also thrown if the encryption key is wrong, or
 * can't be read or created.
 */
export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig';
}

export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const result = settings.safeParse(environment);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new InvalidConfig(`These settings can't be used:\n${lines.join('\n')}`);
}

/** Returns the prefixes of the service's own headers. The documentation uses the first prefix. */
export function headerPrefixesOf({ HEADER_PREFIX }: Config): readonly [string, ...string[]] {
  return listOf(HEADER_PREFIX) as [string, ...string[]];
}

/**
 * Returns the entries of CUSTOM_DOMAINS: the domains that organizations may use. An entry can end with the id of the
 * only organization that may use the domain, such as `go.shop.example=2`.
 */
export function customDomainsOf({ CUSTOM_DOMAINS }: Config): readonly string[] {
  return CUSTOM_DOMAINS === undefined ? [] : listOf(CUSTOM_DOMAINS);
}

/**
 * Returns PUBLIC_URL. If it isn't set, returns a URL with the host `localhost`, the given port, and BASE_PATH. `port`
 * is the port on which the server listens.
 */
export function publicUrlOf({ PUBLIC_URL, PORT, BASE_PATH }: Config, port: number = PORT): string {
  return PUBLIC_URL ?? `http://localhost:${port}${BASE_PATH === '/' ? '' : BASE_PATH}`;
}
