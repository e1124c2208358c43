import { type Described, type Field, field, refusal, text } from './fields.ts';

const MAX_URL = 2_048;
export const MAX_ORIGIN = 255;
const MAX_EMAIL = 254;
const MAX_DOMAIN = 253;

/**
 * Returns a field for an http or https URL without credentials. Other schemes are refused, because a browser might
 * execute them.
 */
export function webUrl(described: Described): Field<string> {
  return field({ type: 'string', format: 'uri', maxLength: MAX_URL }, described, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    if (value.length > MAX_URL) return refusal('too-long', `This must have at most ${MAX_URL} characters.`);
    // Refuse spaces and line breaks. The URL parser removes or encodes them, so the stored URL would differ from the
    // sent URL.
    const url = URL.canParse(value) && !/[\s\p{Cc}]/u.test(value) ? new URL(value) : undefined;
    const isWeb = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    if (!isWeb) return refusal('invalid-format', 'This must be a URL such as https://shop.example/.');
    // The parser encodes a character as up to 12 characters.
    return url.href.length <= MAX_URL
      ? url.href
      : refusal('too-long', `With its characters percent-encoded, this must have at most ${MAX_URL} characters.`);
  });
}

/**
 * Returns a field for an origin such as `https://shop.example`, in the form that browsers send. Its characters are safe
 * in a header with a space-separated list of origins.
 */
export function webOrigin(described: Described): Field<string> {
  return field({ type: 'string', maxLength: MAX_ORIGIN }, described, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    if (value.length > MAX_ORIGIN) return refusal('too-long', `This must have at most ${MAX_ORIGIN} characters.`);
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isOrigin = url !== undefined && url.href === `${url.origin}/` && /^https?:\/\/[\w.:[\]-]+$/.test(url.origin);
    return isOrigin ? url.origin : refusal('invalid-format', 'This must be an origin such as https://shop.example.');
  });
}

/**
 * Returns a field for a domain name such as `go.shop.example`, in lower case and ASCII (`bücher.example` becomes
 * `xn--bcher-kva.example`). It has no scheme and no port, and is not an IP address.
 */
export function domainName(described: Described): Field<string> {
  return field({ type: 'string', maxLength: MAX_DOMAIN }, described, (value) => {
    if (typeof value !== 'string') return refusal('wrong-type', 'This must be a string.');
    if (value.length > MAX_DOMAIN) return refusal('too-long', `This must have at most ${MAX_DOMAIN} characters.`);
    const domain = LETTERS.test(value) && URL.canParse(`http://${value}`) ? new URL(`http://${value}`).hostname : '';
    return DOMAIN.test(domain) && domain.length <= MAX_DOMAIN
      ? domain
      : refusal('invalid-format', 'This must be a domain such as go.shop.example.');
  });
}

/** Matches the characters of a domain name in any script. Without this check, a path or a port would be ignored. */
const LETTERS = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** Matches at least two labels, the last of which begins with a letter. So an IPv4 address doesn't match. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns a field for an email address. Only the form of the address is checked. */
export function emailAddress(described: Described): Field<string> {
  return text(3, MAX_EMAIL, described, { noControlCharacters: true, pattern: EMAIL, mismatch: NO_EMAIL });
}

const EMAIL = /^[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\]+$/;
/** The error text for a value that is not an email address. */
export const NO_EMAIL = 'This must be an email address such as ada@example.com.';
