/** What of an option counts. */
export type Named = { readonly value: string; readonly label: string; readonly disabled?: boolean | undefined };

export type Typed = { readonly text: string; readonly at: number };

/** Letters that come closer to each other than this are of one word. */
const ONE_WORD_MS = 750;

/** What was typed with this letter, after what was typed before. */
export function typedOn(before: Typed | undefined, letter: string, at: number): Typed {
  const goesOn = before !== undefined && at - before.at < ONE_WORD_MS;
  return { text: (goesOn ? before.text : '') + letter.toLowerCase(), at };
}

/**
 * The option that begins with what was typed; the next of them where the same letter was pressed again, as in lists of the browser.
 * Undefined where there is none.
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
