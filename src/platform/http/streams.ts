import type { ExportLimits } from './export-limits.ts';
import type { Answer } from './handler.ts';
import { jsonPieces } from './json-pieces.ts';
import { csvPieces, type CsvRecord } from './csv.ts';

export const CSV = 'text/csv; charset=utf-8';
export const XML = 'application/xml; charset=utf-8';
export const JSON_TYPE = 'application/json';

/**
 * Returns a 200 response with a value as JSON. Its lists may be async iterables of slices. Calls `close` after the
 * response ends or fails.
 */
export function answerLongJson(value: unknown, close: () => Promise<void>): Answer {
  return { kind: 'answer', status: 200, stream: { type: JSON_TYPE, pieces: closeAfter(jsonPieces(value), close) } };
}

/** Returns a 200 response with a CSV file for spreadsheets. Calls `close` after the response ends or fails. */
export function answerLongCsv(
  fileName: string,
  columns: readonly string[],
  slices: AsyncIterable<readonly CsvRecord[]>,
  close: () => Promise<void>,
): Answer {
  const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
  const stream = { type: CSV, pieces: closeAfter(csvPieces(columns, slices), close) };
  return { kind: 'answer', status: 200, stream, headers };
}

/** Yields a list in slices of at most ITEMS_OF_SLICE items. */
export async function* slicesOf<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += ITEMS_OF_SLICE) yield items.slice(from, from + ITEMS_OF_SLICE);
}

const ITEMS_OF_SLICE = 250;

/** Returns the same pieces, but waits for a turn before each piece, so that each turn of the event loop stays short. */
export function pacePieces(pieces: AsyncIterator<string>, { turn }: Pick<ExportLimits, 'turn'>): AsyncIterable<string> {
  return toIterable({
    next: async () => {
      await turn();
      return pieces.next();
    },
    return: async () => (await pieces.return?.()) ?? ENDED,
  });
}

/**
 * Returns an iterator over the pieces that calls `close` when it ends, fails or is stopped. It is not a generator,
 * because stopping a generator before its start skips its `finally`.
 */
function closeAfter(pieces: AsyncGenerator<string>, close: () => Promise<void>): AsyncIterator<string> {
  return {
    next: async () => {
      try {
        const result = await pieces.next();
        if (result.done === true) await close();
        return result;
      } catch (error) {
        await close();
        throw error;
      }
    },
    return: async () => {
      try {
        return await pieces.return(undefined);
      } finally {
        await close();
      }
    },
  };
}

const ENDED: IteratorReturnResult<undefined> = { done: true, value: undefined };

function toIterable(iterator: AsyncIterator<string>): AsyncIterable<string> {
  return { [Symbol.asyncIterator]: () => iterator };
}
