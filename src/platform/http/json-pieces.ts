import { jsonText } from '#core/contract/json-text.ts';

/**
 * The minimum number of characters of a piece, except the last piece. Sending smaller pieces costs more than generating
 * them.
 */
const PIECE_CHARACTERS = 32 * 1024;
/** A list with at most this number of items is written in a single step, unless `isLong` is true for an item. */
const FEW_ITEMS = 50;

/**
 * Yields the pieces of a value as JSON, so that a long response is neither kept in memory nor written in a single step.
 * Writes an async iterable of slices as one array. Writes a function as the value that its promise resolves to.
 */
export async function* jsonPieces(value: unknown): AsyncGenerator<string> {
  let piece = '';
  for await (const text of valueTexts(value)) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

async function* valueTexts(value: unknown): AsyncGenerator<string> {
  if (typeof value === 'function') yield* valueTexts(await (value as () => Promise<unknown>)());
  else if (isSlices(value)) yield* sliceTexts(value);
  else if (!isLong(value)) yield jsonText(value);
  else if (Array.isArray(value)) yield* listTexts(value);
  else yield* memberTexts(value as object);
}

async function* listTexts(items: readonly unknown[]): AsyncGenerator<string> {
  let text = '[';
  for (const [index, item] of items.entries()) {
    if (index > 0) text += ',';
    if (isLong(item)) {
      yield text;
      text = '';
      yield* valueTexts(item);
    } else text += jsonText(item ?? null);
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

async function* memberTexts(members: object): AsyncGenerator<string> {
  let separator = '{';
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* valueTexts(member);
    separator = ',';
  }
  yield '}';
}

async function* sliceTexts(slices: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  yield '[';
  let separator = '';
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    yield separator + jsonText(slice).slice(1, -1);
    separator = ',';
  }
  yield ']';
}

function isSlices(value: unknown): value is AsyncIterable<readonly unknown[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/**
 * Returns whether a value is or contains a long list, an async iterable of slices, or a function. Looks into arrays and
 * plain objects only.
 */
function isLong(value: unknown): boolean {
  if (typeof value === 'function' || isSlices(value)) return true;
  if (Array.isArray(value)) return value.length > FEW_ITEMS || value.some(isLong);
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).some(isLong);
}
