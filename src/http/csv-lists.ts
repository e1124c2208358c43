import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { jsonText } from '#contract/json-text.ts';
import type { Operation } from '#contract/operation.ts';
import { amounts } from '#contract/response-fields.ts';
import { formatMajor, type Minor } from '#domain/money.ts';
import { cellForPeople } from './csv-cells.ts';
import { csvText } from './csv.ts';

/** Rows that are written down at once, some 10 ms of work: what is sorted comes in stretches of many more. */
const ROWS_AT_ONCE = 1_000;

type Row = Readonly<Record<string, unknown>>;

type Column = {
  readonly name: string;
  readonly path: readonly string[];
  /** Written in major units. */
  readonly isAmount: boolean;
};

/** Who reads a file: programs get what JSON has; people major units and words, and names beside the ids of collaborators and programs. */
export type CsvReader = 'programs' | 'people';

/** Columns that files for people have more, each right after that of the id: rows bring them. */
const NAMES: Readonly<Record<string, string>> = { collaboratorId: 'collaboratorName', programId: 'programName' };

/**
 * A list as a file for spreadsheets, made as it is read: a column for each field of its rows, in the order of the document.
 * A field of an object is `object.field`; what has no place in a cell (a list, an object of any fields) is in it as JSON, and
 * for people in words.
 * Whoever else calls has a turn in between.
 */
export async function* csvOfList(
  operation: Operation,
  stretches: AsyncIterable<readonly unknown[]>,
  reader: CsvReader,
): AsyncGenerator<string> {
  const columns = columnsOf(operation, reader);
  yield csvText([columns.map(({ name }) => name)], true);
  for await (const rows of stretches) {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const some = rows.slice(from, from + ROWS_AT_ONCE);
      yield csvText(
        some.map((row) => columns.map((column) => cellOf(row, column, reader))),
        false,
      );
      await turn();
    }
  }
}

/** `transactions.csv`, by the last word of its path. */
export function fileNameOf({ path }: Operation): string {
  return `${path.split('/').at(-1)}.csv`;
}

function columnsOf(operation: Operation, reader: CsvReader): readonly Column[] {
  const columns = columnsIn(rowOf(operation), []);
  if (reader === 'programs') return columns.map((column) => ({ ...column, isAmount: false }));
  return columns.flatMap((column) => {
    const name = NAMES[column.name];
    return name === undefined || columns.some((own) => own.name === name)
      ? [column]
      : [column, { name, path: [name], isAmount: false }];
  });
}

function rowOf({ path, success: { body } }: Operation): z.ZodType {
  if (!(body instanceof z.ZodArray)) throw new Error(`${path} is no list`);
  return body.element as z.ZodType;
}

function columnsIn(schema: z.ZodType, path: readonly string[]): readonly Column[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return columnsIn(schema.unwrap() as z.ZodType, path);
  }
  if (!(schema instanceof z.ZodObject)) return [{ name: path.join('.'), path, isAmount: amounts.has(schema) }];
  const fields = Object.entries<z.ZodType>(schema.shape);
  return fields.flatMap(([name, of]) => columnsIn(of, [...path, name]));
}

function cellOf(
  row: unknown,
  { name: column, path, isAmount }: Column,
  reader: CsvReader,
): string | number | bigint | null {
  let value = row;
  for (const name of path) value = (value as Row | null | undefined)?.[name];
  if (value === undefined || value === null) return null;
  if (isAmount) return formatMajor(BigInt(value as number | bigint) as Minor);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Date) return value.toISOString();
  if (reader === 'people' && typeof value === 'object') return cellForPeople(column, value, row as Row);
  return jsonText(value);
}
