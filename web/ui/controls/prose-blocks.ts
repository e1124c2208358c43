type ProseLine = { readonly number: number; readonly words: string };

/** A part of a text. A heading has one line. */
export type ProseBlock = {
  readonly kind: 'heading' | 'list' | 'paragraph';
  readonly lines: readonly [ProseLine, ...ProseLine[]];
};

/** Returns the headings, lists and paragraphs of a text, in their order. Empty lines are omitted. */
export function blocksOf(text: string): ProseBlock[] {
  const blocks: { kind: ProseBlock['kind']; lines: [ProseLine, ...ProseLine[]] }[] = [];
  let isOpen = false;
  for (const [number, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    const kind = kindOf(trimmed);
    const last = blocks.at(-1);
    const words = kind === 'paragraph' ? trimmed : trimmed.replace(/^#+|^-/, '').trim();
    if (trimmed === '') isOpen = false;
    else if (isOpen && last?.kind === kind && kind !== 'heading') last.lines.push({ number, words });
    else {
      blocks.push({ kind, lines: [{ number, words }] });
      isOpen = true;
    }
  }
  return blocks;
}

function kindOf(line: string): ProseBlock['kind'] {
  if (line.startsWith('#')) return 'heading';
  return line.startsWith('- ') ? 'list' : 'paragraph';
}
