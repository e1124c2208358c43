/**
 * Returns a function that checks whether a name matches any of `patterns`, in which `*` matches any text. The time
 * is proportional to the length of the name times the total length of the patterns with a `*`. It doesn't depend on the
 * texts themselves, which are user input. Searching for one pattern after the other would take many times longer for
 * some texts, and a regular expression could backtrack for hours.
 */
export function matchingPatterns(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !hasStar(pattern)));
  const matches = matchingStars(patterns.filter(hasStar));
  return (name) => exact.has(name) || matches(name);
}

export function hasStar(pattern: string): boolean {
  return pattern.includes('*');
}

/**
 * Returns a function that compares a name with all patterns in one pass. A pattern with n characters other than `*` has
 * n + 1 places. The places of all patterns are the bits of one long number in words of 32 bits. A place's bit is set if
 * the part of the pattern before the place matches the name read so far. The next character of the name moves a bit to
 * the next place if the pattern has the same character there. A bit at a `*` also stays.
 */
function matchingStars(patterns: readonly string[]): (name: string) => boolean {
  const { words, first, last, stars, moves } = placesOf(patterns);
  const none = new Int32Array(words);
  const reached = new Int32Array(words);
  return (name) => {
    reached.set(first);
    for (let at = 0; at < name.length; at += 1) {
      const isNext = moves.get(name.charCodeAt(at)) ?? none;
      let carried = 0;
      for (let word = 0; word < words; word += 1) {
        const bits = reached[word] as number;
        reached[word] = (((bits << 1) | carried) & (isNext[word] as number)) | (bits & (stars[word] as number));
        carried = bits >>> 31;
      }
    }
    return reached.some((bits, word) => (bits & (last[word] as number)) !== 0);
  };
}

type Places = {
  readonly words: number;
  /** The place before the first character of each pattern. */
  readonly first: Int32Array;
  /** The place after the last character of each pattern. */
  readonly last: Int32Array;
  /** The places at which a pattern has a `*`. */
  readonly stars: Int32Array;
  /** The places that directly follow a character, by the character's UTF-16 code. */
  readonly moves: ReadonlyMap<number, Int32Array>;
};

function placesOf(patterns: readonly string[]): Places {
  const words = Math.ceil(patterns.reduce((sum, { length }) => sum + length, 0) / 32);
  const [first, last, stars] = [new Int32Array(words), new Int32Array(words), new Int32Array(words)];
  const moves = new Map<number, Int32Array>();
  let place = 0;
  for (const pattern of patterns) {
    mark(first, place);
    for (let at = 0; at < pattern.length; at += 1) {
      const code = pattern.charCodeAt(at);
      if (code === STAR) {
        mark(stars, place);
        continue;
      }
      place += 1;
      const after = moves.get(code) ?? new Int32Array(words);
      mark(after, place);
      moves.set(code, after);
    }
    mark(last, place);
    place += 1;
  }
  return { words, first, last, stars, moves };
}

const STAR = '*'.charCodeAt(0);

function mark(places: Int32Array, place: number): void {
  const word = place >> 5;
  places[word] = (places[word] as number) | (1 << (place & 31));
}
