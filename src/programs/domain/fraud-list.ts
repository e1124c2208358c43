import ipaddr from 'ipaddr.js';
import type { FraudListEntryId } from '#core/ids.ts';

/**
 * The fraud lists. An entry of `allow` exempts matching buyers or visits from the fraud signals of the entry's kind.
 * Buyers and visits that match an entry of `deny` always have a fraud signal.
 */
export const FRAUD_LISTS = ['allow', 'deny'] as const;
export type FraudListName = (typeof FRAUD_LISTS)[number];

export const FRAUD_LIST_KINDS = ['email-domain', 'network', 'referrer'] as const;
export type FraudListKind = (typeof FRAUD_LIST_KINDS)[number];

/** The maximum number of entries in an organization's fraud lists together, not counting deleted entries. */
export const MAX_FRAUD_LIST_ENTRIES = 1_000;

export type FraudListEntry = {
  readonly id: FraudListEntryId;
  readonly list: FraudListName;
  readonly kind: FraudListKind;
  /** The value as `readListValue` returns it. */
  readonly value: string;
};

/**
 * Returns the value of an entry in the form in which values are compared, or undefined if it is invalid. Host patterns
 * and domains are in lower case. Networks have zeros after their prefix. The prefix of an IPv6 network has at most 64
 * bits.
 */
export function readListValue(kind: FraudListKind, text: string): string | undefined {
  return READERS[kind](text);
}

const READERS: Readonly<Record<FraudListKind, (text: string) => string | undefined>> = {
  'email-domain': (text) => readHost(text),
  referrer: (text) => readHostPattern(text),
  network: (text) => readNetwork(text),
};

/**
 * Returns a host pattern in lower case, or undefined if it is invalid. `example.com` is the host itself, with or
 * without a `www.` prefix. `*.example.com` also includes its subdomains. `example.*` is the host under every suffix of
 * one or two labels, such as `com` or `co.uk`.
 */
export function readHostPattern(text: string): string | undefined {
  const pattern = text.toLowerCase();
  if (pattern.endsWith('.*')) {
    const name = pattern.slice(0, -'.*'.length);
    return name.split('.').every(isLabel) && !name.startsWith(WWW) ? pattern : undefined;
  }
  const isWide = pattern.startsWith('*.');
  const host = readHost(isWide ? pattern.slice('*.'.length) : pattern);
  return host === undefined ? undefined : `${isWide ? '*.' : ''}${withoutWww(host)}`;
}

/** Returns the host of a web address in lower case, or null if the text has none. */
export function hostOfReferrer(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return readHost(url.hostname) ?? null;
}

/** Returns whether one of the patterns includes the host. */
export function includesHost(patterns: { readonly has: (pattern: string) => boolean }, host: string): boolean {
  return patternsOf(host).some((pattern) => patterns.has(pattern));
}

/** The entries about visits, prepared for lookups. A visit has null for a network or referrer that is not known. */
export type VisitLists = {
  /** Whether any entry is a network. If not, callers don't need to determine the network of a visit. */
  readonly needsNetwork: boolean;
  /** Returns the entry of the deny list that includes the visit, or null. */
  readonly deniedBy: (network: string | null, referrer: string | null) => FraudListEntryId | null;
  readonly allowsNetwork: (network: string) => boolean;
  readonly allowsReferrer: (host: string) => boolean;
};

/** Prepares the entries about networks and referrers for lookups. Returns null if there are none. */
export function visitListsOf(entries: readonly FraudListEntry[]): VisitLists | null {
  const of = (list: FraudListName, kind: FraudListKind) =>
    new Map(entries.filter((each) => each.list === list && each.kind === kind).map(({ value, id }) => [value, id]));
  const [allowedNetworks, deniedNetworks] = [of('allow', 'network'), of('deny', 'network')];
  const [allowedReferrers, deniedReferrers] = [of('allow', 'referrer'), of('deny', 'referrer')];
  if ([allowedNetworks, deniedNetworks, allowedReferrers, deniedReferrers].every(({ size }) => size === 0)) return null;
  const [allowedPrefixes, deniedPrefixes] = [prefixesOf(allowedNetworks), prefixesOf(deniedNetworks)];
  return {
    needsNetwork: allowedNetworks.size + deniedNetworks.size > 0,
    deniedBy: (network, referrer) =>
      (network === null ? null : firstOf(deniedNetworks, networksOf(network, deniedPrefixes))) ??
      (referrer === null ? null : firstOf(deniedReferrers, patternsOf(referrer))),
    allowsNetwork: (network) => firstOf(allowedNetworks, networksOf(network, allowedPrefixes)) !== null,
    allowsReferrer: (host) => includesHost(allowedReferrers, host),
  };
}

function firstOf(entries: ReadonlyMap<string, FraudListEntryId>, keys: readonly string[]): FraudListEntryId | null {
  for (const key of keys) {
    const id = entries.get(key);
    if (id !== undefined) return id;
  }
  return null;
}

const WWW = 'www.';
const HOST_CHARACTERS = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;

function isLabel(label: string): boolean {
  return LABEL.test(label);
}

function readHost(text: string): string | undefined {
  const host = text.toLowerCase();
  const labels = host.split('.');
  const isHost = host.length <= HOST_CHARACTERS && labels.length > 1 && labels.every(isLabel);
  return isHost && !ipaddr.IPv4.isValidFourPartDecimal(host) ? host : undefined;
}

function withoutWww(host: string): string {
  return host.startsWith(WWW) && host.split('.').length > 2 ? host.slice(WWW.length) : host;
}

/** Returns all patterns that include the host. */
function patternsOf(host: string): string[] {
  const bare = withoutWww(host);
  const labels = bare.split('.');
  const wide = labels.map((_, n) => `*.${labels.slice(n).join('.')}`);
  const everywhere = [1, 2].filter((n) => n < labels.length).map((n) => `${labels.slice(0, -n).join('.')}.*`);
  return [bare, ...wide, ...everywhere];
}

/**
 * The shortest and longest allowed network prefixes, in bits. A longer IPv6 prefix would cover only part of a
 * subscriber's network.
 */
const PREFIXES = { 4: { min: 8, max: 32 }, 6: { min: 16, max: 64 } } as const;
type Family = keyof typeof PREFIXES;

function readNetwork(text: string): string | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || rest.length > 0) return undefined;
  const { min, max } = PREFIXES[family];
  const bits = length === undefined ? max : /^\d{1,3}$/.test(length) ? Number(length) : 0;
  if (bits < min || bits > max) return undefined;
  return networkText(family, family === 4 ? ipv4Bits(address) : ipv6Bits(address.toLowerCase()), bits);
}

/** Returns the family of a plain address. An IPv6 address with a zone or with an IPv4 address in it is not plain. */
function familyOf(address: string): Family | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return 4;
  return ipaddr.IPv6.isValid(address) && !address.includes('.') && !address.includes('%') ? 6 : undefined;
}

/** The prefix lengths that occur in a list. A visit is compared only with networks of these lengths. */
type Prefixes = Readonly<Record<Family, readonly number[]>>;

function prefixesOf(networks: ReadonlyMap<string, unknown>): Prefixes {
  const lengths = (isOf: (network: string) => boolean) => [
    ...new Set([...networks.keys()].filter(isOf).map((network) => Number(network.split('/')[1]))),
  ];
  return { 4: lengths((network) => network.includes('.')), 6: lengths((network) => network.includes(':')) };
}

/**
 * Returns the networks with the given prefix lengths that include an address. The address has the form that `networkOf`
 * of the HTTP layer returns.
 */
function networksOf(address: string, prefixes: Prefixes): string[] {
  const family = address.includes(':') ? 6 : address.includes('.') ? 4 : undefined;
  if (family === undefined || prefixes[family].length === 0) return [];
  const bits = family === 4 ? ipv4Bits(address) : ipv6Bits(address);
  return prefixes[family].map((length) => networkText(family, bits, length));
}

/**
 * Returns a network as text, such as `203.0.113.0/24`. `bits` contains the 32 or 64 bits of an address, and `length` is
 * the number of bits in the network's prefix.
 */
function networkText(family: Family, bits: bigint, length: number): string {
  const rest = BigInt(PREFIXES[family].max - length);
  const network = (bits >> rest) << rest;
  const group = family === 4 ? 8 : 16;
  const groups = Array.from({ length: 4 }, (_, n) => (network >> BigInt(group * (3 - n))) & BigInt(2 ** group - 1));
  return family === 4
    ? `${groups.join('.')}/${length}`
    : `${groups.map((each) => each.toString(16)).join(':')}::/${length}`;
}

function ipv4Bits(address: string): bigint {
  return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

/** Returns the first 64 bits of an IPv6 address. `address` can be complete, or only the first four groups. */
function ipv6Bits(address: string): bigint {
  const [head = [], tail] = address.split('::', 2).map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])].slice(0, 4);
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}
