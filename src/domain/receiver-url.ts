import ipaddr from 'ipaddr.js';

/**
 * Why news must not be sent to `url`, in words for whoever gave it; undefined where it may be. `privateAllowed` is the
 * setting WEBHOOKS_PRIVATE_ADDRESSES. What a host's name leads to is only known when it is sent: see isPublicAddress.
 */
export function refusalOfReceiver(url: string, privateAllowed: boolean): string | undefined {
  // A URL takes line breaks and blanks out of itself: what is shown and logged would be another one than what is called.
  if (!URL.canParse(url) || /[\s\p{Cc}]/u.test(url)) return 'must be a URL such as https://shop.example/webhooks';
  const { protocol, username, password, port } = new URL(url);
  if (protocol !== 'https:' && !(privateAllowed && protocol === 'http:')) return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not hold a user name or a password';
  if (privateAllowed) return undefined;
  if (port !== '' && Number(port) < MIN_PORT) return `must use port 443 or one from ${MIN_PORT} to 65535`;
  return refusalOfHost(hostOf(url));
}

/** Below are other protocols: nobody's mail server is to get our requests. */
const MIN_PORT = 1024;

/** The host of a URL that can be parsed, as a name or an address: without brackets and dots at the end. */
export function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
}

function refusalOfHost(host: string): string | undefined {
  // The URL has made one address of all that means one: 2130706433, 0x7f.1 and 127.0.0.1 are the same by now.
  if (ipaddr.isValid(host)) return isPublicAddress(host) ? undefined : 'must not lead to a private address';
  if (!host.includes('.') || /\.(localhost|local|internal|home\.arpa)$/i.test(host)) {
    return 'must name a host that everybody can reach';
  }
  return undefined;
}

/**
 * Whether an address is one of the public internet. Addresses that hold another one (mapped, NAT64) count as what they
 * hold; tunnels (6to4, Teredo) lead who knows where and are refused with all that is reserved, private or local.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast';
  const bytes = parsed.toByteArray();
  if (parsed.match(NAT64)) return isPublicAddress(bytes.slice(12).join('.'));
  // The library calls “unicast” what it has no name for, such as ::7f00:1 (127.0.0.1 of old): only 2000::/3 is in use.
  return parsed.range() === 'unicast' && ((bytes[0] as number) & 0xe0) === 0x20;
}

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
