/** An email. All emails are plain text. */
export type Email = { readonly to: string; readonly subject: string; readonly text: string };

/** The text of an email, without its recipient. The texts are in the folder `wording` of each area. */
export type EmailText = Omit<Email, 'to'>;

/** Returns the text of an email: the paragraphs, separated by blank lines. */
export function paragraphs(...each: readonly string[]): string {
  return `${each.join('\n\n')}\n`;
}

/** Returns user input as one line. Replaces control and format characters, which could disguise the text. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
