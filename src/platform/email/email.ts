/** An email. All emails are plain text. */
export type Email = { readonly to: string; readonly subject: string; readonly text: string };

/** The subject and text of an email, without its recipient. Emails are worded in the folder `wording` of each area. */
export type EmailText = Omit<Email, 'to'>;

/** Returns the paragraphs as the text of an email, separated by blank lines. */
export function paragraphs(...each: readonly string[]): string {
  return `${each.join('\n\n')}\n`;
}

/**
 * Returns user input as one trimmed line. Replaces line breaks, control characters and format characters with spaces,
 * because they could disguise the text.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
