/**
 * A part of an email. It is one of:
 *
 * - a paragraph
 * - a link, which is a button in HTML
 * - a login code
 * - a table of names and values
 * - a text that a person wrote
 * - a list of links
 */
export type EmailPart =
  | string
  | { readonly link: string; readonly label: string }
  | { readonly code: string }
  | { readonly facts: readonly (readonly [name: string, value: string])[] }
  | { readonly written: string }
  | { readonly items: readonly { readonly text: string; readonly link: string }[] };

/**
 * The subject and content of an email, without its recipient. The texts themselves are in the `wording` folders below
 * `src`.
 */
export type EmailText = {
  readonly subject: string;
  /** The brand of the email: the merchant's for partners, or Whence's own for people who use the console. */
  readonly brand: 'merchant' | 'whence';
  readonly parts: readonly EmailPart[];
  /** The parts as plain text. */
  readonly text: string;
  /** The link to unsubscribe from this kind of email. Absent if the recipient can't unsubscribe. */
  readonly unsubscribeUrl?: string;
};

export type Email = EmailText & { readonly to: string };

export type EmailBrand = {
  readonly name: string;
  /** The color of buttons, as #rrggbb. */
  readonly accent: string;
  /** The URL of the merchant's logo, or null if there is no logo that email programs can show. */
  readonly logoUrl: string | null;
  /** The address for replies, or null for the sender's own address. */
  readonly replyTo: string | null;
};

export const WHENCE_BRAND: EmailBrand = { name: 'Whence', accent: '#4f46e5', logoUrl: null, replyTo: null };

/** Returns an email about the console, with the brand of Whence. */
export function consoleEmail(subject: string, ...parts: readonly EmailPart[]): EmailText {
  return { subject, brand: 'whence', parts, text: plainText(parts) };
}

/** Returns an email to a partner, with the brand of the merchant. */
export function partnerEmail(subject: string, ...parts: readonly EmailPart[]): EmailText {
  return { subject, brand: 'merchant', parts, text: plainText(parts) };
}

/** Returns the text with a link to unsubscribe from this kind of email. */
export function withUnsubscribeLink(text: EmailText, unsubscribeUrl: string): EmailText {
  return { ...text, unsubscribeUrl, text: `${text.text}\n--\nStop these emails: ${unsubscribeUrl}\n` };
}

/**
 * Returns user input as one trimmed line. Replaces line breaks, control characters and format characters with spaces,
 * because they could disguise the text.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function plainText(parts: readonly EmailPart[]): string {
  return `${parts.map(plainPart).join('\n\n')}\n`;
}

function plainPart(part: EmailPart): string {
  if (typeof part === 'string') return part;
  if ('link' in part) return part.link;
  if ('code' in part) return part.code;
  if ('written' in part) return part.written;
  if ('items' in part) return part.items.map(({ text, link }) => `${text}:\n${link}`).join('\n\n');
  return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}
