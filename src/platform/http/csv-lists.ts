import { z } from 'zod';
import { jsonText } from '#core/contract/json-text.ts';
import type { Operation } from '#core/contract/operation.ts';
import { amounts } from '#core/contract/response-fields.ts';
import { formatMajor, type Minor } from '#core/money.ts';
import { cellForPeople } from './csv-cells.ts';
import { mapSlices } from '../postgres/lists/slices.ts';
import { csvPieces } from './csv.ts';

type Row = Readonly<Record<string, unknown>>;

type Column = {
  readonly name: string;
  readonly path: readonly string[];
  /** Whether the value is written in major units. */
  readonly isAmount: boolean;
};

/**
 * The audience of a file. Programs get the same values as in JSON. People get major units, readable text, and the names
 * of collaborators and programs after their ids.
 */
export type CsvReader = 'programs' | 'people';

/** Maps an id column to the name column that follows it in files for people. The rows already contain the names. */
const NAMES: Readonly<Record<string, string>> = { collaboratorId: 'collaboratorName', programId: 'programName' };

/**
 * Returns a list as the pieces of a CSV file, which are generated as the client reads them. The file has a column for
 * each field of the rows, in the order of the contract. The column of a nested field is named `object.field`. A list,
 * or an object with arbitrary fields, is written as JSON, or as text for people.
 */
export function csvOfList(
  operation: Operation,
  slices: AsyncIterable<readonly unknown[]>,
  reader: CsvReader,
): AsyncGenerator<string> {
  const columns = columnsOf(operation, reader);
  return csvPieces(
    columns.map(({ name }) => name),
    mapSlices(slices, (row) => columns.map((column) => cellOf(row, column, reader))),
  );
}

/** Returns the file name of a list, such as `transactions.csv`, from the last segment of its path. */
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
  if (!(body instanceof z.ZodArray))
    throw new Error(`The operation ${path} doesn't return a list, so it can't return CSV.`);
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
