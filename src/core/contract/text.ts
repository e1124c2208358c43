/** Returns whether text has no NUL and no lone surrogate. JSON can represent both, but PostgreSQL can't store them. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Returns whether text contains any of U+0000 … U+001F and U+007F … U+009F. */
export function hasControlCharacters(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

const CONTROL_CHARACTER = /\p{Cc}/u;
