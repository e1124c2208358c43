import ipaddr from 'ipaddr.js';

/**
 * Returns the reason why messages must not be sent to `url`, as text for the user. Returns undefined if the URL is
 * allowed. `privateAllowed` is the setting WEBHOOKS_PRIVATE_ADDRESSES. The addresses of a host name are checked only
 * when a message is sent (see isPublicAddress).
 */
export function refusalOfReceiver(url: string, privateAllowed: boolean): string | undefined {
  // URL parsing removes line breaks and blanks, so the shown and logged URL would differ from the called URL.
  if (!URL.canParse(url) || /[\s\p{Cc}]/u.test(url)) return 'must be a URL such as https://shop.example/webhooks';
  const { protocol, username, password, port } = new URL(url);
  if (protocol !== 'https:' && !(privateAllowed && protocol === 'http:')) return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not contain a user name or a password';
  if (isPlatformHost(hostOf(url))) return 'must not resolve to a metadata or platform address of a cloud';
  if (privateAllowed) return undefined;
  if (port !== '' && Number(port) < MIN_PORT) return `must use port 443 or a port from ${MIN_PORT} to 65535`;
  return refusalOfHost(hostOf(url));
}

/**
 * Addresses at which cloud platforms provide metadata, credentials and management services to their machines. These
 * addresses are refused even if private addresses are allowed, because they are never valid receivers. Azure's address
 * is a public address.
 */
const PLATFORM_RANGES = [
  '169.254.0.0/16', // AWS, Azure, Google and others. AWS ECS uses 169.254.170.2 and 169.254.170.23.
  '168.63.129.16/32', // Azure
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google
  'fd00:42::42/128', // Scaleway
  'fd00:c1::a9fe:a9fe/128', // Oracle
].map((range) => ipaddr.parseCIDR(range));

/** Host names at which cloud platforms provide metadata, credentials and management services to their machines. */
const PLATFORM_NAMES = new Set([
  'metadata',
  'instance-data',
  'metadata.goog',
  'metadata.google.internal',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
]);

function isPlatformHost(host: string): boolean {
  return ipaddr.isValid(host) ? isPlatformAddress(host) : PLATFORM_NAMES.has(host.toLowerCase());
}

/**
 * Returns whether a cloud platform provides metadata or management services at the given address. IPv4 addresses are
 * also recognized in their IPv4-mapped and NAT64 forms.
 */
export function isPlatformAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv6' && parsed.match(NAT64))
    return isPlatformAddress(parsed.toByteArray().slice(12).join('.'));
  return PLATFORM_RANGES.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}

/** The minimum port, except for the standard port 443. Lower ports belong to other protocols, such as mail. */
const MIN_PORT = 1024;

/** Returns the host of a parsable URL as a name or an address, without brackets and trailing dots. */
export function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/(?<!\.)\.+$/, '');
}

function refusalOfHost(host: string): string | undefined {
  // URL parsing normalizes all spellings of an address: 2130706433, 0x7f.1 and 127.0.0.1 are already the same.
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? undefined : 'must not resolve to a private address';
  if (!host.includes('.') || /\.(localhost|local|internal|home\.arpa)$/i.test(host)) {
    return 'must name a public host';
  }
  return undefined;
}

/**
 * Returns whether an address belongs to the public internet. Addresses that embed another address (mapped, NAT64) are
 * checked as that address. Tunnels (6to4, Teredo) can end anywhere, so they are refused like reserved, private and
 * local addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || isPlatformAddress(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast';
  const bytes = parsed.toByteArray();
  if (parsed.match(NAT64)) return isPublicAddress(bytes.slice(12).join('.'));
  // The address library classifies unknown ranges as “unicast”, such as ::7f00:1 (formerly 127.0.0.1). Only 2000::/3 is
  // in use.
  return parsed.range() === 'unicast' && ((bytes[0] as number) & 0xe0) === 0x20;
}

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
