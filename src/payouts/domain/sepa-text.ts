/** Replacements for symbols, and for letters that Unicode doesn't decompose into a Latin letter and a diacritic. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    ẞ: 'SS',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
    ø: 'o',
    Ø: 'O',
    đ: 'd',
    Đ: 'D',
    ð: 'd',
    Ð: 'D',
    þ: 'th',
    Þ: 'TH',
    ł: 'l',
    Ł: 'L',
    ħ: 'h',
    Ħ: 'H',
    ŧ: 't',
    Ŧ: 'T',
    ŋ: 'n',
    Ŋ: 'N',
    ı: 'i',
    ĸ: 'k',
    '’': "'",
    '‘': "'",
    '–': '-',
    '—': '-',
    '&': '+',
    _: '-',
  }),
);

/** The characters that every SEPA bank accepts, except the slash, which is refused in some positions of a text. */
const ALLOWED = /^[A-Za-z0-9?:().,'+ -]+$/;
const LETTER = /^\p{L}$/u;
const DIACRITIC = /^\p{M}$/u;

/**
 * Returns a text with only the characters that every SEPA bank accepts: Latin letters, digits and some punctuation.
 * Characters in LETTERS are replaced, diacritics are removed, and other symbols become spaces. Returns undefined if the
 * text has another letter that can't be written, such as a Greek letter, or if nothing is left.
 */
export function sepaText(text: string): string | undefined {
  let written = '';
  for (const character of text.normalize('NFKD')) {
    if (DIACRITIC.test(character)) continue;
    const plain = LETTERS.get(character) ?? character;
    const isWritable = ALLOWED.test(plain);
    if (!isWritable && LETTER.test(character)) return undefined;
    written += isWritable ? plain : ' ';
  }
  const words = written.split(' ').filter((word) => word !== '');
  return words.length === 0 ? undefined : words.join(' ');
}
