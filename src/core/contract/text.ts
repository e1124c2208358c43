/** Returns whether text has no NUL and no lone surrogate. JSON can represent both, but PostgreSQL can't store them. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Returns whether text contains any of U+0000 … U+001F and U+007F … U+009F. */
export function hasControlCharacters(text: string): boolean {
  return CONTROL_CHARACTER.test(text);
}

const CONTROL_CHARACTER = /\p{Cc}/u;

/** The rules of a text field in addition to its length. */
export type TextOptions = {
  /** Whether the field also refuses the control characters U+0000 … U+001F and U+007F … U+009F. */
  readonly noControlCharacters?: boolean;
} & (
  | { readonly pattern?: undefined; readonly mismatch?: undefined }
  | {
      readonly pattern: RegExp;
      /** The error text for a value that doesn't match `pattern`. It describes the expected value, with an example. */
      readonly mismatch: string;
    }
);

/** Options for a text that has at least one character other than white space. */
export const NOT_BLANK = { pattern: /\S/, mismatch: 'This must not be blank.' } as const;
