export type DiffLine = { readonly kind: 'same' | 'gone' | 'new'; readonly text: string };

/**
 * Compares two lists of sentences. Returns the unchanged, removed and added sentences in their order, with removed
 * sentences before added sentences.
 */
export function diffSentences(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lengths = commonLengths(before, after);
  const lines: DiffLine[] = [];
  let [one, other] = [0, 0];
  while (one < before.length || other < after.length) {
    const [was, is] = [before[one], after[other]];
    if (was !== undefined && was === is) {
      lines.push({ kind: 'same', text: was });
      one += 1;
      other += 1;
    } else if (was !== undefined && (is === undefined || at(lengths, one + 1, other) >= at(lengths, one, other + 1))) {
      lines.push({ kind: 'gone', text: was });
      one += 1;
    } else {
      lines.push({ kind: 'new', text: is ?? '' });
      other += 1;
    }
  }
  return lines;
}

/**
 * Returns a table. Its value at `[i][j]` is the length of the longest common subsequence of `before` from i and `after`
 * from j.
 */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => Array<number>(after.length + 1).fill(0));
  for (let one = before.length - 1; one >= 0; one -= 1) {
    for (let other = after.length - 1; other >= 0; other -= 1) {
      (lengths[one] as number[])[other] =
        before[one] === after[other]
          ? at(lengths, one + 1, other + 1) + 1
          : Math.max(at(lengths, one + 1, other), at(lengths, one, other + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], one: number, other: number): number {
  return lengths[one]?.[other] ?? 0;
}
