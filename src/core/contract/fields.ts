import { z } from 'zod';
import { NumberLiteral } from './number-literal.ts';
import { hasControlCharacters, isStorableText, type TextOptions } from './text.ts';
import { MAX_DIGITS, readDecimal } from './decimal.ts';
import { limitFaults } from './limit-faults.ts';
import { isCurrency } from '../currency.ts';
import { MAX_ID } from '../ids.ts';
import { formatMajor, type Minor, parseMajor } from '../money.ts';

/*
 * Builders of request fields. Each field is a zod schema. Its input is a value from the JSON parser (numbers as
 * NumberLiteral) or a parameter of the path or the query (a string). Its output is a trusted domain value, or faults
 * with stable codes. The input schemas don't use zod's own numbers and strings, because these would read a number as a
 * double and lose its digits.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Described = { readonly description: string; readonly example?: unknown };
export type Field<Value> = z.ZodType<Value, unknown>;

/** The reason why a field refuses a value: `code` is stable and in kebab-case, and `detail` is for people. */
export class Refusal {
  readonly code: string;
  readonly detail: string;
  constructor(code: string, detail: string) {
    this.code = code;
    this.detail = detail;
  }
}

export function refusal(code: string, detail: string): Refusal {
  return new Refusal(code, detail);
}

type Reader<Value> = (value: unknown) => Value | Refusal;

/** The OpenAPI schema and the reader of each field. For zod, each field is only `unknown` with a transform function. */
const wires = new WeakMap<z.ZodType, { schema: JsonSchema; read: Reader<unknown> }>();

export function wireSchema(schema: z.ZodType): JsonSchema | undefined {
  return wires.get(schema)?.schema;
}

/** Returns a required field. `read` is never called with undefined or null. */
export function field<Value>(schema: JsonSchema, described: Described, read: Reader<Value>): Field<Value> {
  return wire(describe(schema, described), (value) =>
    value === undefined || value === null ? new Refusal('required', 'This field is required.') : read(value),
  );
}

/**
 * Makes a field optional. Null counts as absent. If `fallback` is given, it is the default value, and the documentation
 * shows it as `shown`.
 */
export function optional<Value>(of: Field<Value>): Field<Value | undefined>;
export function optional<Value>(of: Field<Value>, fallback: NoInfer<Value>, shown?: unknown): Field<Value>;
export function optional<Value>(
  of: Field<Value>,
  fallback?: Value,
  shown: unknown = fallback,
): Field<Value | undefined> {
  const { schema, read } = wireOf(of);
  const accepted = fallback === undefined ? nullable(schema) : withDefault(schema, shown);
  const given = z.optional(wire(accepted, (value) => (value === null ? fallback : (read(value) as Value))));
  return fallback === undefined ? given : given.transform((value) => value ?? fallback);
}

/** Makes a field required and nullable. `missing` is the error text for an absent field. */
export function present<Value>(of: Field<Value>, missing: string): Field<Value | null> {
  const { schema, read } = wireOf(of);
  return wire(nullable(schema), (value) => {
    if (value === undefined) return new Refusal('required', missing);
    return value === null ? null : (read(value) as Value);
  });
}

/** Makes a field clearable in a PATCH. An absent field leaves the value unchanged (undefined), and null clears it. */
export function clearable<Value>(of: Field<Value>): Field<Value | null | undefined> {
  const { schema, read } = wireOf(of);
  return z.optional(wire(nullable(schema), (value) => (value === null ? null : (read(value) as Value))));
}

/**
 * Returns a field for a request body or a nested object. Unknown fields are ignored, and all faults are reported
 * together.
 */
export function object<Shape extends z.ZodRawShape>(shape: Shape): Field<z.output<z.ZodObject<Shape>>> {
  // zod would accept a NumberLiteral as an object, so pass its text, which zod rejects.
  return z.preprocess((value) => (value instanceof NumberLiteral ? value.text : value), z.object(shape));
}

type Listed = { readonly min?: number; readonly max: number; readonly description: string };

/** Returns a list field. `description` describes the whole list, and `of` each item. */
export function list<Value>(of: z.ZodType<Value>, { min = 0, max, description }: Listed): z.ZodType<Value[], unknown> {
  const some = z.array(of).max(max);
  return limitFaults((min === 0 ? some : some.min(min)).meta({ description }), of, max);
}

/** Returns a list field that may be absent or null. Its value is then undefined. */
export function optionalList<Value>(of: z.ZodType<Value>, listed: Omit<Listed, 'min'>): Field<Value[] | undefined> {
  return list(of, listed)
    .nullish()
    .transform((value) => value ?? undefined);
}

/** Returns an id field: an integer from 1 to 2^53−1, as a number or as digits in a string. */
export function id<Id extends number = number>(described: Described): Field<Id> {
  return integer(1, MAX_ID, described) as unknown as Field<Id>;
}

/** Returns an integer field with inclusive bounds, given as a number (`30`, `30.0`, `3e1`) or as digits in a string. */
export function integer(min: number, max: number, described: Described): Field<number> {
  return field(integerSchema(min, max), described, (value) => readInteger(value, min, max));
}

function integerSchema(minimum: number, maximum: number): JsonSchema {
  const pattern = minimum < 0 ? '^-?[0-9]+$' : '^[0-9]+$';
  return {
    anyOf: [
      { type: 'integer', minimum, maximum },
      { type: 'string', pattern },
    ],
  };
}

function readInteger(value: unknown, min: number, max: number): number | Refusal {
  const read = readBigInteger(value, BigInt(min), BigInt(max));
  return read instanceof Refusal ? read : Number(read);
}

function readBigInteger(value: unknown, min: bigint, max: bigint): bigint | Refusal {
  const integer = value instanceof NumberLiteral ? integerOf(value) : digitsOf(value);
  if (integer instanceof Refusal) return integer;
  return integer !== 'huge' && integer >= min && integer <= max
    ? integer
    : new Refusal('out-of-range', `This must be a whole number from ${min} to ${max}.`);
}

function integerOf({ text }: NumberLiteral): bigint | 'huge' | Refusal {
  const read = readDecimal(text, 0);
  if (read.kind === 'exact') return read.value;
  return read.kind === 'huge' ? 'huge' : new Refusal('wrong-type', 'This must be a whole number.');
}

function digitsOf(value: unknown): bigint | 'huge' | Refusal {
  if (typeof value !== 'string') return new Refusal('wrong-type', 'This must be a whole number.');
  if (!/^-?[0-9]+$/.test(value)) return new Refusal('invalid-format', 'This must be a whole number.');
  return value.length > MAX_NUMBER_LENGTH ? 'huge' : BigInt(value);
}

const MAX_NUMBER_LENGTH = 64;

/**
 * Returns the text of a number or of a string. Returns '' for a string of more than MAX_NUMBER_LENGTH characters, and
 * undefined for any other value.
 */
function numberText(value: unknown): string | undefined {
  if (value instanceof NumberLiteral) return value.text;
  if (typeof value !== 'string') return undefined;
  return value.length <= MAX_NUMBER_LENGTH ? value : '';
}

/**
 * Returns a field for text of at least `min` characters and at most `max` UTF-16 units. NUL and lone surrogates are
 * refused, because PostgreSQL can't store them.
 */
export function text(min: number, max: number, described: Described, options: TextOptions = {}): Field<string> {
  const pattern = options.pattern === undefined ? {} : { pattern: options.pattern.source };
  return field({ type: 'string', minLength: min, maxLength: max, ...pattern }, described, (value) =>
    typeof value === 'string'
      ? readText(value, min, max, options)
      : new Refusal('wrong-type', 'This must be a string.'),
  );
}

/**
 * Returns a field for text of at least one character, truncated to `length` UTF-16 units. A surrogate pair is never
 * split.
 */
export function cutText(length: number, described: Described): Field<string> {
  return field({ type: 'string', minLength: 1 }, described, (value) => {
    if (typeof value !== 'string') return new Refusal('wrong-type', 'This must be a string.');
    const read = readText(value, 1, value.length, {});
    return typeof read === 'string' ? cut(read, length) : read;
  });
}

function cut(text: string, length: number): string {
  const head = text.slice(0, length);
  return head.isWellFormed() ? head : head.slice(0, -1);
}

/** Returns whether `text` has fewer than `min` characters. A surrogate pair counts once, as in JSON Schema. */
function isShorter(text: string, min: number): boolean {
  return text.length < min || (text.length < 2 * min && Array.from(text).length < min);
}

/** Returns `value` if it is a valid value of a `text` field, or the reason why it isn't. */
export function readText(value: string, min: number, max: number, options: TextOptions): string | Refusal {
  if (isShorter(value, min)) {
    const detail = min === 1 ? 'This must not be empty.' : `This must have at least ${min} characters.`;
    return new Refusal('too-short', detail);
  }
  if (value.length > max) return new Refusal('too-long', `This must have at most ${max} characters.`);
  if (!isStorableText(value)) {
    return new Refusal('invalid-format', 'This must be valid Unicode without the character NUL.');
  }
  if (options.noControlCharacters === true && hasControlCharacters(value)) {
    return new Refusal('invalid-format', 'This must have no control characters.');
  }
  if (options.pattern !== undefined && !options.pattern.test(value)) {
    return new Refusal('invalid-format', options.mismatch);
  }
  return value;
}

/**
 * Returns a field for an id of another system. It accepts a string of 1–255 characters without control characters, or
 * an integer, which is read as its digits.
 */
export function externalId(described: Described): Field<string> {
  const schema = { anyOf: [{ type: 'string', minLength: 1, maxLength: 255 }, { type: 'integer' }] };
  return field(schema, described, (value) => {
    if (typeof value === 'string') return readText(value, 1, 255, { noControlCharacters: true });
    if (!(value instanceof NumberLiteral)) return new Refusal('wrong-type', 'This must be a string or an integer.');
    return readDigits(value);
  });
}

function readDigits({ text }: NumberLiteral): string | Refusal {
  // `1001`, `1001.0` and `1.001e3` are the same integer and must find the same sale.
  const read = readDecimal(text, 0);
  if (read.kind === 'exact') return String(read.value);
  return read.kind === 'huge'
    ? new Refusal('out-of-range', `An integer can have at most ${MAX_DIGITS} digits.`)
    : new Refusal('wrong-type', 'This must be a string or an integer.');
}

export function choice<const Value extends string>(values: readonly Value[], described: Described): Field<Value> {
  const known = new Set<string>(values);
  return field({ type: 'string', enum: values }, described, (value) => {
    if (typeof value !== 'string') return new Refusal('wrong-type', 'This must be a string.');
    return known.has(value)
      ? (value as Value)
      : new Refusal('unknown-value', `This must be one of ${values.join(', ')}.`);
  });
}

/** Returns a field for a subset of the values, with at least `min` of them. Duplicates count once. */
export function choices<const Value extends string>(
  values: readonly Value[],
  described: Described,
  { min = 0 }: { min?: number } = {},
): Field<Value[]> {
  const known = new Set<string>(values);
  const schema = { type: 'array', items: { type: 'string', enum: values }, minItems: min };
  return field(schema, described, (value) => {
    if (!Array.isArray(value)) return new Refusal('wrong-type', 'This must be an array.');
    if (!value.every((each) => typeof each === 'string' && known.has(each))) {
      return new Refusal('unknown-value', `Each value must be one of ${values.join(', ')}.`);
    }
    const chosen = values.filter((each) => value.includes(each));
    return chosen.length < min
      ? new Refusal('too-few', `This must have at least ${min} ${min === 1 ? 'entry' : 'entries'}.`)
      : chosen;
  });
}

export function flag(described: Described): Field<boolean> {
  return field({ type: 'boolean' }, described, (value) =>
    typeof value === 'boolean' ? value : new Refusal('wrong-type', 'This must be true or false.'),
  );
}

/** Returns a field for an ISO 4217 code in any case. Its value is in upper case. */
export function currencyCode(described: Described): Field<string> {
  const schema = { type: 'string', pattern: '^[A-Za-z]{3}$' };
  return field(schema, { example: 'USD', ...described }, (value) => {
    if (typeof value !== 'string') return new Refusal('wrong-type', 'This must be a string.');
    // Accepts ASCII only, because `ſEK` in upper case is SEK.
    const code = /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : '';
    return isCurrency(code) ? code : new Refusal('unknown-value', 'This must be an ISO 4217 currency code.');
  });
}

/**
 * Returns a field for an amount as an integer, given as a number or as digits in a string. The bounds are inclusive.
 * The caller decides the unit: hundredths, or the currency's smallest unit.
 */
export function minorAmount(min: bigint, max: bigint, described: Described): Field<Minor> {
  const schema = integerSchema(Number(min), Number(max));
  return field(schema, described, (value) => readBigInteger(value, min, max) as Minor | Refusal);
}

/**
 * Returns a field for an amount in major units. It accepts a decimal number of at most 64 characters, also in a string.
 * More than two decimals are rounded to the nearest hundredth, with halves away from zero. `min` and `max` are in
 * hundredths.
 */
export function majorAmount(min: bigint, max: bigint, described: Described): Field<Minor> {
  const schema = { anyOf: [{ type: 'number' }, { type: 'string', maxLength: MAX_NUMBER_LENGTH }] };
  return field(schema, described, (value) => {
    const text = numberText(value);
    if (text === undefined) return new Refusal('wrong-type', 'This must be a decimal number.');
    if (readDecimal(text, 0).kind === 'no-number')
      return new Refusal('invalid-format', `This must be a decimal number of at most ${MAX_NUMBER_LENGTH} characters.`);
    // If negative amounts are refused, -0.004 must be refused too, although it rounds to 0.
    const amount = min >= 0n && /^-[0.]*[1-9]/.test(text) ? undefined : parseMajor(text);
    return amount !== undefined && amount >= min && amount <= max
      ? amount
      : new Refusal(
          'out-of-range',
          `This must be an amount from ${formatMajor(min as Minor)} to ${formatMajor(max as Minor)}.`,
        );
  });
}

const PPM_PLACES = 4;
const MAX_RATE_PPM = 1_000_000n;

/**
 * Returns a field for a percentage above 0 and at most 100, with at most four decimals, as a number or in a string. Its
 * value is in parts per million: 10.5 is 105000.
 */
export function percent(described: Described): Field<number> {
  const schema = {
    anyOf: [
      { type: 'number', exclusiveMinimum: 0, maximum: 100 },
      { type: 'string', maxLength: MAX_NUMBER_LENGTH },
    ],
  };
  return field(schema, described, (value) => {
    const text = numberText(value);
    if (text === undefined) return new Refusal('wrong-type', 'This must be a number.');
    const read = readDecimal(text, PPM_PLACES);
    if (read.kind === 'no-number') return new Refusal('invalid-format', 'This must be a number.');
    if (read.kind === 'fraction') return new Refusal('too-precise', 'A percentage can have at most four decimals.');
    if (read.kind === 'huge' || read.value <= 0n || read.value > MAX_RATE_PPM) {
      return new Refusal('out-of-range', 'A percentage must be above 0 and at most 100.');
    }
    return Number(read.value);
  });
}

/** Returns a schema of query parameters. An unknown parameter is a fault that lists the supported parameters. */
export function parameters<Shape extends z.ZodRawShape>(shape: Shape) {
  const detail = `There is no such parameter. The parameters are ${Object.keys(shape).join(', ')}.`;
  return z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? detail : undefined) });
}

function wire<Value>(schema: JsonSchema, read: Reader<Value>): Field<Value> {
  const built = z.unknown().transform((value, context): Value => {
    const result = read(value);
    if (!(result instanceof Refusal)) return result;
    context.addIssue({ code: 'custom', message: result.detail, params: { code: result.code } });
    return z.NEVER;
  });
  wires.set(built, { schema, read });
  return built;
}

function wireOf(of: z.ZodType): { schema: JsonSchema; read: Reader<unknown> } {
  const found = wires.get(of);
  if (found === undefined) throw new Error('Only a field that was created with `field` can be made optional.');
  return found;
}

function describe(schema: JsonSchema, { description, example }: Described): JsonSchema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) };
}

/**
 * Returns the schema of a nullable field with a default. The schema has the default in its first alternative, not at
 * its top level. Otherwise, generators such as openapi-typescript treat the field as required, even in a request.
 */
function withDefault({ description, examples, ...schema }: JsonSchema, shown: unknown): JsonSchema {
  const { anyOf = [schema] } = schema as { readonly anyOf?: readonly JsonSchema[] };
  const [first, ...others] = anyOf;
  return {
    anyOf: [{ ...first, default: shown }, ...others, { type: 'null' }],
    description,
    ...(examples === undefined ? {} : { examples }),
  };
}

function nullable(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema['anyOf'])) return { ...schema, anyOf: [...schema['anyOf'], { type: 'null' }] };
  const withNull = { ...schema, type: [schema['type'], 'null'] };
  return Array.isArray(schema['enum']) ? { ...withNull, enum: [...schema['enum'], null] } : withNull;
}
