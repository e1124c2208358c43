/*
 * Valid and invalid JSON for each grammar rule of RFC 8259: all cases of a finite rule, and the edge cases of other
 * rules.
 */

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => String.fromCharCode(from + n));
const ESCAPED = ['"', '\\', '/', 'b', 'f', 'n', 'r', 't'];
const BLANKS = [' ', '\t', '\n', '\r'];
const DOCUMENTS = ['{"a":[1,true],"b":{"c":null,"d":"e"}}', '[[],{},"",-0.5e-1,false]'];

/** Numbers with all combinations of the listed signs, integers, fractions and exponents. */
const NUMBERS = ['', '-'].flatMap((sign) =>
  ['0', '7', '10', '1234567890'].flatMap((integer) =>
    ['', '.0', '.5', '.05', '.000123'].flatMap((fraction) =>
      ['', 'e0', 'E1', 'e+2', 'E-2', 'e007'].map((exponent) => sign + integer + fraction + exponent),
    ),
  ),
);

/** Documents that must be accepted, by rule. No object has a duplicate key. */
export const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  'every kind of value as the root': ['null', 'true', 'false', '0', '""', '[]', '{}'],
  'numbers in every notation': [...NUMBERS, ...NUMBERS.map((text) => `[${text}]`)],
  'white space of each kind between all tokens': DOCUMENTS.flatMap((document) =>
    BLANKS.flatMap((blank) => {
      const parts = document.match(/"[^"]*"|[{}[\]:,]|[^{}[\]:,"]+/g) ?? [];
      return [parts.join(blank), blank + parts.join(blank + blank) + blank];
    }),
  ),
  'every escape': [
    ...ESCAPED.map((letter) => `"\\${letter}"`),
    ...range(0, 0x1f).map((letter) => `"\\u00${letter.charCodeAt(0).toString(16).padStart(2, '0')}"`),
    String.raw`"\u0041\u00e4\u20AC\uFFFF\uabcd\uABCD"`,
    String.raw`"\uD83D\uDE00\ud83d\ude00"`,
    String.raw`"\uD800 \uDC00 \uDC00\uD800"`,
    String.raw`"\\u0061\\\u0061"`,
  ],
  'characters that need no escape': [
    ...range(0x20, 0x7f).filter((letter) => !'"\\'.includes(letter)),
    '\u0080',
    '\u00a0',
    'é',
    '\u2028',
    '\u2029',
    '\u202e',
    '\ufeff',
    '\ufffd',
    '\uffff',
    '😀',
    '\u{10ffff}',
  ].flatMap((letter) => [`"${letter}"`, `{"${letter}":1}`]),
  'nested and long arrays and objects': [
    '[[[[[[[[[[]]]]]]]]]]',
    '{"a":{"a":{"a":{"a":{}}}}}',
    `[${Array(1_000).fill('0').join(',')}]`,
    `{${range(0x4e00, 0x4fff)
      .map((key) => `"${key}":0`)
      .join(',')}}`,
  ],
};

/** Documents that must be refused, by rule. */
export const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'truncated documents': DOCUMENTS.flatMap((document) =>
    Array.from(document, (_, length) => document.slice(0, length)),
  ),
  'documents with a missing bracket, colon, comma or quote': DOCUMENTS.flatMap((document) =>
    Array.from(document, (letter, at) =>
      '{}[]:,"'.includes(letter) ? [document.slice(0, at) + document.slice(at + 1)] : [],
    ).flat(),
  ),
  'documents with an extra bracket, colon or comma': DOCUMENTS.flatMap((document) =>
    Array.from(document, (_, at) =>
      ['}', ']', ':', ','].map((more) => document.slice(0, at) + more + document.slice(at)),
    )
      .flat()
      .filter((changed) => !/"[^",:]*[\]}:,][^",:]*"/.test(changed)),
  ),
  'undefined escapes of one character': range(0x20, 0x7e)
    .filter((letter) => !ESCAPED.includes(letter) && letter !== 'u')
    .map((letter) => `"\\${letter}"`),
  'every control character that is not escaped': range(0, 0x1f).flatMap((letter) => [`"${letter}"`, `{"${letter}":1}`]),
  'numbers with an invalid beginning or end': NUMBERS.flatMap((text) => [
    `+${text}`,
    `${text}.`,
    `${text}e`,
    `${text}-`,
    `${text}x`,
    `0${text.replace('-', '')}`.replace(/^00(?=[.eE]|$)/, '00'),
    `- ${text.replace('-', '')}`,
  ]),

  'empty documents': ['', ' ', '\n'],
  'literals of other languages': [
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    'True',
    'NULL',
    'nul',
    'truee',
    'a',
    '{a:1}',
  ],
  'numbers of other languages': ['+1', '.5', '-.5', '1.', '1.e1', '01', '-01', '00', '0x1F', '1_000', '1,5', '１', '١'],
  'malformed numbers': ['-', '1e', '1e+', '1E-', '-e', '1.2.3', '1e1.5', '--1', '1e1e1', '- 1', '1 2', '0e', '0.e1'],
  'extra or missing commas': [
    '[1,]',
    '[,1]',
    '[1,,2]',
    '[,]',
    '[1 2]',
    '{"a":1,}',
    '{,}',
    '{"a":1,,"b":2}',
    '{"a":1 "b":2}',
  ],
  'extra or missing colons': ['{"a"}', '{"a" 1}', '{"a"::1}', '{:1}', '["a":1]', '{"a":}', '{"a",1}', ':'],
  'brackets that do not match': ['[', ']', '{', '}', '[}', '{]', '[[]', '[]]', '{"a":[}', '{"a":1]', '["a"}'],
  'keys that aren’t strings': ['{1:1}', '{null:1}', '{[]:1}', "{'a':1}", '{a:1}', '{"a":1,b:2}'],
  'strings in other quotes': ["'a'", '`a`', '“a”'],
  'strings without an end': ['"', '"a', '"\\', '"\\"', '["a]', '{"a', '{"a":"b'],
  'unknown escapes': [
    String.raw`"\x41"`,
    String.raw`"\a"`,
    String.raw`"\0"`,
    String.raw`"\'"`,
    String.raw`"\U0041"`,
    '"\\\n"',
  ],
  'incomplete escapes': [
    String.raw`"\u"`,
    String.raw`"\u12"`,
    String.raw`"\u123`,
    String.raw`"\u00g0"`,
    String.raw`"\u+041"`,
    String.raw`"\u 041"`,
  ],
  'control characters within strings': ['"a\nb"', '"a\tb"', '"\u0000"', '"\u001f"', '{"a\r":1}'],
  'white space of other languages': [
    '\u00a01',
    '\u20281',
    '\f1',
    '\v1',
    '1\u3000',
    '[1,\u00a02]',
    '\u00001',
    '1\u0000',
  ],
  comments: ['// a\n1', '/* a */1', '1 # a', '{"a":1/* b */}'],
  'anything after the value': ['{} {}', '[]1', '1 1', '{}x', 'null,', '"a""b"', '{}\u0000'],
};
