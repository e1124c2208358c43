/** No NUL and no lone surrogate: JSON can say both, PostgreSQL can store neither. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Any of U+0000 … U+001F and U+007F … U+009F. */
export function hasControlCharacters(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

const CONTROL_CHARACTER = /\p{Cc}/u;
