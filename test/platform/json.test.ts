import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { NumberLiteral } from '#core/contract/number-literal.ts';
import { hasControlCharacters, isStorableText } from '#core/contract/text.ts';
import { type JsonValue, MalformedJson, MAX_DEPTH, parseJson } from '#platform/json.ts';
import { ACCEPTED, REFUSED } from '../support/json-cases.ts';

const number = (text: string) => new NumberLiteral(text);
const bytesOf = (text: string) => Buffer.from(text);
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/**
 * Returns the parser's error message for `body`, or undefined if it is valid. Fails on any error except MalformedJson.
 */
function refusalOf(body: string | Uint8Array): string | undefined {
  try {
    parseJson(typeof body === 'string' ? bytesOf(body) : body);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof MalformedJson, String(error));
    return error.message;
  }
}

/** Returns the value with its numbers as doubles, as JSON.parse returns it. */
function inDoubles(value: JsonValue): unknown {
  if (value instanceof NumberLiteral) return Number(value.text);
  if (Array.isArray(value)) return value.map(inDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inDoubles(member)]));
}

describe('parseJson: valid documents', () => {
  const accepted: readonly (readonly [body: string, value: JsonValue])[] = [
    ['null', null],
    [' \t\r\n true \t\r\n ', true],
    ['false', false],
    ['""', ''],
    ['{}', {}],
    ['[]', []],
    ['[ ]', []],
    ['{ "a" : [ null , true , { } ] , "b" : "c" }', { a: [null, true, {}], b: 'c' }],
    ['{"":"an empty key"}', { '': 'an empty key' }],
    [String.raw`"\"\\\/\b\f\n\r\t"`, '"\\/\b\f\n\r\t'],
    [String.raw`"\u0041\u00e4\u20AC"`, 'Aä€'],
    [String.raw`"\uD83D\uDE00"`, '😀'],
    [String.raw`"a\nb\\"`, 'a\nb\\'],
    [String.raw`"\\u0061"`, String.raw`\u0061`],
    ['"ä€😀\u2028\u2029\u007f"', 'ä€😀\u2028\u2029\u007f'],
    ['"/* no comment */"', '/* no comment */'],
  ];
  for (const [body, value] of accepted) {
    it(`reads ${JSON.stringify(body)}`, () => assert.deepEqual(parseJson(bytesOf(body)), value));
  }

  for (const [what, bodies] of Object.entries(ACCEPTED)) {
    it(`reads ${what} as JSON.parse does`, () => {
      for (const body of bodies) assert.deepEqual(inDoubles(parseJson(bytesOf(body))), JSON.parse(body), body);
    });
  }
});

describe('parseJson: numbers', () => {
  const literals = [
    ['0', '-0', '7', '-7', '1234567890', '0.5', '0.0', '19.99', '4.35', '1.005', '19.989999999999998'],
    ['4.35e1', '1E5', '1e+5', '1e-5', '0e0', '-0.0e-0', '1e400', '1e-400', '123.456E-789'],
    ['9007199254740991', '9007199254740992', '9007199254740993', '9223372036854775808', '9'.repeat(5000)],
  ].flat();
  for (const literal of literals) {
    it(`keeps every digit of ${literal.length > 40 ? `a number with ${literal.length} digits` : literal}`, () => {
      assert.deepEqual(parseJson(bytesOf(literal)), number(literal));
      assert.deepEqual(parseJson(bytesOf(`{"n": [${literal} ]}`)), { n: [number(literal)] });
    });
  }
});

describe('parseJson: invalid documents', () => {
  for (const [what, bodies] of Object.entries(REFUSED)) {
    it(`rejects ${what}`, () =>
      assert.deepEqual(
        bodies.filter((body) => refusalOf(body) === undefined),
        [],
      ));
  }

  it('rejects every truncation of a sale', () => {
    const sale = String.raw`{"trackingId":"42","total":-19.99e1,"items":[{"name":"A \"\u00e4\"","amount":5,"x":[true,null]}]}`;
    const cuts = Array.from(sale, (_, length) => sale.slice(0, length));
    assert.equal(refusalOf(sale), undefined);
    assert.deepEqual(
      cuts.filter((cut) => refusalOf(cut) === undefined),
      [],
    );
  });
});

describe('parseJson: invalid UTF-8', () => {
  const bodies: Readonly<Record<string, readonly number[]>> = {
    'a byte that starts no character': [0x22, 0xff, 0x22],
    'a continuation byte alone': [0x22, 0x80, 0x22],
    'Latin-1': [0x22, 0xe4, 0x22],
    'a truncated character': [0x22, 0xe2, 0x82, 0x22],
    'an overlong encoding of a slash': [0x22, 0xc0, 0xaf, 0x22],
    'a surrogate encoded in three bytes': [0x22, 0xed, 0xa0, 0x80, 0x22],
    'a character above U+10FFFF': [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22],
  };
  for (const [what, bytes] of Object.entries(bodies)) {
    it(`rejects ${what} without replacing it`, () =>
      assert.equal(refusalOf(Uint8Array.from(bytes)), 'The text is not valid UTF-8 at byte 1.'));
  }

  it('rejects UTF-16 with and without a byte order mark', () => {
    assert.ok(refusalOf(Buffer.from('{"a":1}', 'utf16le')));
    assert.ok(refusalOf(Buffer.from('\ufeff{"a":1}', 'utf16le')));
  });

  it('rejects a UTF-8 byte order mark', () => {
    assert.equal(refusalOf('\ufeff{}'), 'Expected a value, found U+FEFF at byte 0, line 1.');
  });

  it('reads only the view of a larger buffer', () => {
    assert.deepEqual(parseJson(new Uint8Array(bytesOf('xx[1]xx')).subarray(2, 5)), [number('1')]);
  });
});

describe('parseJson: duplicate keys', () => {
  const twice = [
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":3}',
    String.raw`{"a":1,"\u0061":2}`,
    '{"":1,"":2}',
    '{"1":1,"1":2}',
    '{"x":{"a":1,"a":2}}',
  ];
  for (const body of [
    ...twice,
    '{"__proto__":1,"__proto__":2}',
    '{"constructor":1,"constructor":2}',
    '[{"a":{},"a":[]}]',
  ]) {
    it(`rejects ${body}`, () => assert.match(refusalOf(body) ?? '', /^An object has the same key twice/));
  }

  it('accepts the same key in two objects, and keys that differ in case', () => {
    assert.deepEqual(parseJson(bytesOf('[{"a":"1"},{"a":"2","A":{"a":"3"}}]')), [
      { a: '1' },
      { a: '2', A: { a: '3' } },
    ]);
  });

  it('accepts keys that every object inherits', () => {
    assert.deepEqual(parseJson(bytesOf('{"toString":"1","hasOwnProperty":"2"}')), {
      toString: '1',
      hasOwnProperty: '2',
    });
  });
});

describe('parseJson: no key changes a prototype', () => {
  it('makes __proto__ an own property without changing the prototype', () => {
    const object = parseJson(bytesOf('{"__proto__":{"isAdmin":true},"a":"b"}')) as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
    assert.deepEqual(Object.keys(object), ['__proto__', 'a']);
    assert.equal(object['isAdmin'], undefined);
    assert.equal(({} as Record<string, unknown>)['isAdmin'], undefined);
  });

  it('makes constructor and prototype plain fields', () => {
    parseJson(bytesOf('{"constructor":{"prototype":{"isAdmin":true}},"prototype":null}'));
    assert.equal(({} as Record<string, unknown>)['isAdmin'], undefined);
  });
});

describe('parseJson: size and depth', () => {
  it(`accepts ${MAX_DEPTH} levels and rejects ${MAX_DEPTH + 1}`, () => {
    assert.equal(refusalOf(nested(MAX_DEPTH)), undefined);
    assert.equal(
      refusalOf(nested(MAX_DEPTH + 1)),
      `The nesting is deeper than ${MAX_DEPTH} levels at byte ${MAX_DEPTH}, line 1.`,
    );
    assert.match(refusalOf('{"a":'.repeat(MAX_DEPTH + 1)) ?? '', /^The nesting is deeper/);
  });

  it('counts depth by nesting, not by the number of brackets', () => {
    assert.equal(refusalOf(`[${Array<string>(1000).fill('[{}]').join(',')}]`), undefined);
  });

  it('rejects 100,000 levels, closed or not, without a stack overflow', () => {
    assert.match(refusalOf(nested(100_000)) ?? '', /^The nesting is deeper/);
    assert.match(refusalOf('['.repeat(100_000)) ?? '', /^The nesting is deeper/);
    assert.match(refusalOf('[{"":'.repeat(100_000)) ?? '', /^The nesting is deeper/);
  });

  it('accepts objects of 1,000 members, with words or numbers as keys', () => {
    for (const prefix of ['k', '']) {
      const keys = Array.from({ length: 1_000 }, (_, index) => `"${prefix}${index * 7919}":${index}`);
      assert.equal(Object.keys(parseJson(bytesOf(`{${keys.join(',')}}`)) as object).length, 1_000);
    }
  });

  it('rejects more than 20,000 values', () => {
    assert.equal(refusalOf(`[${'0,'.repeat(19_998)}0]`), undefined);
    assert.match(refusalOf(`[${'0,'.repeat(19_999)}0]`) ?? '', /^There are more than 20000 values at byte /);
    assert.match(refusalOf(`[${'{},'.repeat(300_000)}0]`) ?? '', /^There are more than 20000 values/);
  });

  it('rejects more than 1,000 members of an object', () => {
    const members = (count: number) => Array.from({ length: count }, (_, n) => `"${n}":0`).join();
    assert.equal(refusalOf(`[{${members(1_000)}},{${members(1_000)}}]`), undefined);
    assert.match(refusalOf(`{${members(1_001)}}`) ?? '', /^An object has more than 1000 members at byte /);
  });

  it('accepts a megabyte of text, plain or fully escaped', () => {
    assert.equal((parseJson(bytesOf(`"${'x'.repeat(2 ** 20)}"`)) as string).length, 2 ** 20);
    assert.equal(parseJson(bytesOf(`"${String.raw`\u00e4`.repeat(170_000)}"`)), 'ä'.repeat(170_000));
  });
});

describe('parseJson: the error message', () => {
  const said: readonly (readonly [body: string, message: string])[] = [
    ['', 'Expected a value, found the end at byte 0, line 1.'],
    ['{"a":secret-token}', 'Expected a value, found "s" at byte 5, line 1.'],
    ['{\n  "a": 1,\n  "b" 2\n}', 'Expected ":", found "2" at byte 18, line 3.'],
    ['{"ä€😀":1 "b":2}', 'Expected "," or "}", found """ at byte 15, line 1.'],
    ['[1;2]', 'Expected "," or "]", found ";" at byte 2, line 1.'],
    ['[1.]', 'Expected a digit, found "]" at byte 3, line 1.'],
    ['{"a":1,}', 'Expected a key, found "}" at byte 7, line 1.'],
    ['"a\u0000"', 'Expected the rest of a string, found U+0000 at byte 2, line 1.'],
    ['😀', 'Expected a value, found U+1F600 at byte 0, line 1.'],
    [String.raw`"ab\q"`, 'A string contains an invalid escape sequence at byte 3, line 1.'],
    ['{"a":1,\n"a":2}', 'An object has the same key twice at byte 8, line 2.'],
    ['{} secret', 'Expected the end, found "s" at byte 3, line 1.'],
  ];
  for (const [body, message] of said) {
    it(`names the problem and its place, and quotes at most one character of ${JSON.stringify(body)}`, () =>
      assert.equal(refusalOf(body), message));
  }
});

describe('storable text and control characters', () => {
  for (const escape of [
    String.raw`\u0000`,
    String.raw`\uD800`,
    String.raw`\uDE00`,
    String.raw`\uDE00\uD83D`,
    String.raw`\uD83Dx`,
  ]) {
    it(`"a${escape}" is parsed, but is not storable`, () => {
      const text = parseJson(bytesOf(`"a${escape}"`)) as string;
      assert.equal(isStorableText(text), false);
    });
  }

  it('surrogate pairs, bidirectional marks, HTML, SQL and control characters are storable', () => {
    for (const text of ['', '😀', '\u202eabc', '<b>', "'; drop table", '\t\n\u001b']) assert.ok(isStorableText(text));
  });

  it('only the control characters of ASCII and Latin-1 count as control characters', () => {
    for (const text of ['\u0000', 'a\nb', '\u001f', '\u007f', '\u0085', '\u009f'])
      assert.ok(hasControlCharacters(text));
    for (const text of ['', ' ', '~', '\u00a0', 'ä', '\u2028', '\u202e', '😀'])
      assert.equal(hasControlCharacters(text), false);
  });
});

describe('parseJson compared with JSON.parse', () => {
  const document = fc.json({ maxDepth: 6, noUnicodeString: false });

  it('reads every random document like JSON.parse', () => {
    fc.assert(
      fc.property(document, (body) => assert.deepEqual(inDoubles(parseJson(bytesOf(body))), JSON.parse(body))),
      { numRuns: 5_000 },
    );
  });

  it('accepts or rejects a mutated document as JSON.parse does, except for duplicate keys', () => {
    const change = fc.record({
      at: fc.nat(),
      remove: fc.nat(2),
      insert: fc.constantFrom(
        '',
        ...String.raw`{}[]:,"\ -+.eEu019aftn/`.split(''),
        '\n',
        '\0',
        '\ufeff',
        'null',
        String.raw`\u0041`,
      ),
    });
    const changed = fc.tuple(document, fc.array(change, { minLength: 1, maxLength: 3 })).map(([body, changes]) =>
      changes.reduce((text, { at, remove, insert }) => {
        const start = at % (text.length + 1);
        return (text.slice(0, start) + insert + text.slice(start + remove)).toWellFormed();
      }, body),
    );
    fc.assert(
      fc.property(changed, (body) => {
        const refusal = refusalOf(body);
        if (refusal?.startsWith('An object has the same key twice') === true) return;
        assert.equal(refusal !== undefined, isRefusedByJsonParse(body), refusal);
      }),
      { numRuns: 50_000 },
    );
  });
});

function isRefusedByJsonParse(body: string): boolean {
  try {
    JSON.parse(body);
    return false;
  } catch {
    return true;
  }
}

// If JSON_TEST_SUITE names the test_parsing folder of a clone of nst/JSONTestSuite, test the documents in that folder
// as well.
const suite = process.env['JSON_TEST_SUITE'];
if (suite !== undefined) describe('JSONTestSuite', () => runSuite(suite));

/** Documents with duplicate keys. The RFC allows them, but neither of the two values can be trusted. */
const REFUSED_ON_PURPOSE = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json'];

function runSuite(folder: string): void {
  const names = readdirSync(folder).sort();
  const refused = new Set(names.filter((name) => refusalOf(readFileSync(join(folder, name))) !== undefined));
  const startingWith = (prefix: string) => names.filter((name) => name.startsWith(prefix));

  it('accepts every valid document except documents with a duplicate key', () => {
    assert.equal(startingWith('y_').length, 95);
    assert.deepEqual(
      startingWith('y_').filter((name) => refused.has(name)),
      REFUSED_ON_PURPOSE,
    );
  });

  it('rejects every invalid document', () => {
    assert.equal(startingWith('n_').length, 188);
    assert.deepEqual(
      startingWith('n_').filter((name) => !refused.has(name)),
      [],
    );
  });

  it('accepts or rejects each document that parsers may accept or reject, without crashing', () => {
    assert.equal(startingWith('i_').length, 35);
  });
}
