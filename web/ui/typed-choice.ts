/** The properties of an option that typing depends on. */
export type Named = { readonly value: string; readonly label: string; readonly disabled?: boolean | undefined };

export type Typed = { readonly text: string; readonly at: number };

/** Letters typed within this time of each other form one word, in milliseconds. */
const ONE_WORD_MS = 750;

/** Returns the text typed so far, including this letter. */
export function typedOn(before: Typed | undefined, letter: string, at: number): Typed {
  const goesOn = before !== undefined && at - before.at < ONE_WORD_MS;
  return { text: (goesOn ? before.text : '') + letter.toLowerCase(), at };
}

/**
 * Returns the option that begins with the typed text. Repeating one letter moves to the next match, as in the
 * browser's lists. Returns undefined if none matches.
 */
export function typedChoice<Option extends Named>(
  options: readonly Option[],
  value: string | null,
  text: string,
): Option | undefined {
  const isOneLetter = text === text.slice(0, 1).repeat(text.length);
  const sought = isOneLetter ? text.slice(0, 1) : text;
  const from = options.findIndex((option) => option.value === value) + (isOneLetter ? 1 : 0);
  const inTurn = [...options.slice(Math.max(from, 0)), ...options.slice(0, Math.max(from, 0))];
  return inTurn.find(({ label, disabled }) => disabled !== true && label.toLowerCase().startsWith(sought));
}
