import { z } from 'zod';
import { NumberLiteral } from './number-literal.ts';
import type { Fault } from './problem.ts';
import { hasControlCharacters, isStorableText } from './text.ts';
import { MAX_DIGITS, readDecimal } from './decimal.ts';
import { isCurrency } from '#domain/currency.ts';
import { MAX_ID, type UserId } from '#domain/ids.ts';
import { formatMajor, type Minor, parseMajor } from '#domain/money.ts';

/*
 * The builders of request fields. Each is a zod schema that takes a value as the JSON parser gives it (numbers as
 * NumberLiteral) or a query parameter (a string), and answers a trusted domain value or one fault with a stable code.
 * zod's own number and string schemas are not used for input: they would read a double where the literal's digits count.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Described = { readonly description: string; readonly example?: unknown };
export type Field<Value> = z.ZodType<Value, unknown>;

/** A refusal: `code` is stable and kebab-case, `detail` is for people. */
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

/** What a field looks like on the wire, for the OpenAPI document: zod sees only `unknown` and a function. */
const wires = new WeakMap<z.ZodType, { schema: JsonSchema; read: Reader<unknown> }>();

export function wireSchema(schema: z.ZodType): JsonSchema | undefined {
  return wires.get(schema)?.schema;
}

/** A required field; `read` never sees undefined or null. */
export function field<Value>(schema: JsonSchema, described: Described, read: Reader<Value>): Field<Value> {
  return wire(describe(schema, described), (value) =>
    value === undefined || value === null ? new Refusal('required', 'This field is required.') : read(value),
  );
}

/** The same field, which may be left out; null counts as absent, and `fallback` stands in for both. */
export function optional<Value>(of: Field<Value>): Field<Value | undefined>;
export function optional<Value>(of: Field<Value>, fallback: NoInfer<Value>, shown?: unknown): Field<Value>;
export function optional<Value>(
  of: Field<Value>,
  fallback?: Value,
  shown: unknown = fallback,
): Field<Value | undefined> {
  const { schema, read } = wireOf(of);
  const withDefault = fallback === undefined ? schema : { ...schema, default: shown };
  const given = z.optional(
    wire(nullable(withDefault), (value) => (value === null ? fallback : (read(value) as Value))),
  );
  return fallback === undefined ? given : given.transform((value) => value ?? fallback);
}

/** The same field in a PATCH: absent leaves the value as it is (undefined), null takes it away. */
export function clearable<Value>(of: Field<Value>): Field<Value | null | undefined> {
  const { schema, read } = wireOf(of);
  return z.optional(wire(nullable(schema), (value) => (value === null ? null : (read(value) as Value))));
}

/** A request body or a nested object: unknown fields are ignored, every fault is told. */
export function object<Shape extends z.ZodRawShape>(shape: Shape): Field<z.output<z.ZodObject<Shape>>> {
  // A NumberLiteral is an object to zod; its text is none.
  return z.preprocess((value) => (value instanceof NumberLiteral ? value.text : value), z.object(shape));
}

type Listed = { readonly min?: number; readonly max: number; readonly description: string };

/** What `description` says of one item is `of`'s to say. */
export function list<Value>(of: z.ZodType<Value>, { min = 0, max, description }: Listed): z.ZodType<Value[], unknown> {
  const some = z.array(of).max(max);
  return (min === 0 ? some : some.min(min)).meta({ description });
}

/** A list that may be left out, or null. */
export function optionalList<Value>(of: z.ZodType<Value>, listed: Omit<Listed, 'min'>): Field<Value[] | undefined> {
  return list(of, listed)
    .nullish()
    .transform((value) => value ?? undefined);
}

/** An id: an integer of 1 … 2^53−1, as a number or as digits in a string. */
export function id<Id extends number = number>(described: Described): Field<Id> {
  return integer(1, MAX_ID, described) as unknown as Field<Id>;
}

/** A user's number in the merchant's platform; 0 stands for a guest in many platforms and counts as absent. */
export function guestOrUser(described: Described): Field<UserId | undefined> {
  const { schema, read } = wireOf(integer(0, MAX_ID, described));
  const readUser: Reader<UserId | undefined> = (value) => {
    if (value === null) return undefined;
    const user = read(value);
    return user === 0 ? undefined : (user as UserId);
  };
  return z.optional(wire(nullable(schema), readUser));
}

/** An integer between both bounds, as a number (`30`, `30.0`, `3e1`) or as digits in a string. */
export function integer(min: number, max: number, described: Described): Field<number> {
  const schema = {
    anyOf: [
      { type: 'integer', minimum: min, maximum: max },
      { type: 'string', pattern: min < 0 ? '^-?[0-9]+$' : '^[0-9]+$' },
    ],
  };
  return field(schema, described, (value) => readInteger(value, min, max));
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
    : new Refusal('out-of-range', `This must be an integer from ${min} to ${max}.`);
}

function integerOf({ text }: NumberLiteral): bigint | 'huge' | Refusal {
  const read = readDecimal(text, 0);
  if (read.kind === 'exact') return read.value;
  return read.kind === 'huge' ? 'huge' : new Refusal('wrong-type', 'This must be an integer.');
}

function digitsOf(value: unknown): bigint | 'huge' | Refusal {
  if (typeof value !== 'string') return new Refusal('wrong-type', 'This must be an integer.');
  if (!/^-?[0-9]+$/.test(value)) return new Refusal('invalid-format', 'This must be an integer.');
  return value.length > MAX_NUMBER_LENGTH ? 'huge' : BigInt(value);
}

const MAX_NUMBER_LENGTH = 64;

/** The digits of a number or of a numeric string; undefined for anything else. */
function numberText(value: unknown): string | undefined {
  if (value instanceof NumberLiteral) return value.text;
  if (typeof value !== 'string') return undefined;
  return value.length <= MAX_NUMBER_LENGTH ? value : '';
}

export type TextOptions = {
  /** Refuses U+0000 … U+001F and U+007F … U+009F as well. */
  readonly noControlCharacters?: boolean;
  readonly pattern?: RegExp;
};

/** Text of `min` to `max` characters (UTF-16 units), without NUL and lone surrogates: PostgreSQL can't store those. */
export function text(min: number, max: number, described: Described, options: TextOptions = {}): Field<string> {
  const pattern = options.pattern === undefined ? {} : { pattern: options.pattern.source };
  return field({ type: 'string', minLength: min, maxLength: max, ...pattern }, described, (value) =>
    typeof value === 'string'
      ? readText(value, min, max, options)
      : new Refusal('wrong-type', 'This must be a string.'),
  );
}

function readText(value: string, min: number, max: number, options: TextOptions): string | Refusal {
  if (value.length < min) {
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
  if (options.pattern?.test(value) === false) {
    return new Refusal('invalid-format', `This must match ${options.pattern.source}.`);
  }
  return value;
}

/** An id of another system: a string of 1–255 characters without control characters, or an integer, read as its digits. */
export function externalId(described: Described): Field<string> {
  const schema = { anyOf: [{ type: 'string', minLength: 1, maxLength: 255 }, { type: 'integer' }] };
  return field(schema, described, (value) => {
    if (typeof value === 'string') return readText(value, 1, 255, { noControlCharacters: true });
    if (!(value instanceof NumberLiteral)) return new Refusal('wrong-type', 'This must be a string or an integer.');
    return readDigits(value);
  });
}

function readDigits({ text }: NumberLiteral): string | Refusal {
  // `1001`, `1001.0` and `1.001e3` are one integer and must find one sale.
  const read = readDecimal(text, 0);
  if (read.kind === 'exact') return String(read.value);
  return read.kind === 'huge'
    ? new Refusal('out-of-range', `An integer here has at most ${MAX_DIGITS} digits.`)
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

/** Some of the values, at least `min` of them; one that comes twice counts once. */
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
      return new Refusal('unknown-value', `Each must be one of ${values.join(', ')}.`);
    }
    const chosen = values.filter((each) => value.includes(each));
    return chosen.length < min ? new Refusal('too-few', `At least ${min} must be given.`) : chosen;
  });
}

export function flag(described: Described): Field<boolean> {
  return field({ type: 'boolean' }, described, (value) =>
    typeof value === 'boolean' ? value : new Refusal('wrong-type', 'This must be true or false.'),
  );
}

/** An ISO 4217 code in any case; it is passed on in upper case. */
export function currencyCode(described: Described): Field<string> {
  const schema = { type: 'string', pattern: '^[A-Za-z]{3}$' };
  return field(schema, { example: 'USD', ...described }, (value) => {
    if (typeof value !== 'string') return new Refusal('wrong-type', 'This must be a string.');
    // ASCII only: `ſEK` is SEK in upper case.
    const code = /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : '';
    return isCurrency(code) ? code : new Refusal('unknown-value', 'This must be an ISO 4217 currency code.');
  });
}

/** An amount in the smallest unit: an integer. */
export function minorAmount(min: bigint, max: bigint, described: Described): Field<Minor> {
  const schema = { type: 'integer', minimum: Number(min), maximum: Number(max) };
  return field(schema, described, (value) => readBigInteger(value, min, max) as Minor | Refusal);
}

/**
 * An amount in major units, as a decimal number or as one in a string of at most 64 characters. More than two decimals
 * round to the nearest, halves away from zero. `min` and `max` are in the smallest unit.
 */
export function majorAmount(min: bigint, max: bigint, described: Described): Field<Minor> {
  const schema = { anyOf: [{ type: 'number' }, { type: 'string', maxLength: MAX_NUMBER_LENGTH }] };
  return field(schema, described, (value) => {
    const text = numberText(value);
    if (text === undefined) return new Refusal('wrong-type', 'This must be a decimal number.');
    if (readDecimal(text, 0).kind === 'no-number')
      return new Refusal('invalid-format', `This must be a decimal number of at most ${MAX_NUMBER_LENGTH} characters.`);
    // -0.004 rounds to 0 and is still less.
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

/** A percentage above 0 and at most 100, exact to four decimals, as parts in a million of the base: 10.5 is 105000. */
export function percent(described: Described): Field<number> {
  const schema = { type: 'number', exclusiveMinimum: 0, maximum: 100 };
  return field(schema, described, (value) => {
    const text = numberText(value);
    if (text === undefined) return new Refusal('wrong-type', 'This must be a number.');
    const read = readDecimal(text, PPM_PLACES);
    if (read.kind === 'no-number') return new Refusal('invalid-format', 'This must be a number.');
    if (read.kind === 'fraction') return new Refusal('too-precise', 'A percentage has at most four decimals.');
    if (read.kind === 'huge' || read.value <= 0n || read.value > MAX_RATE_PPM) {
      return new Refusal('out-of-range', 'A percentage is above 0 and at most 100.');
    }
    return Number(read.value);
  });
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** A moment in RFC 3339, with any offset. */
export function moment(described: Described): Field<Date> {
  return field({ type: 'string', format: 'date-time' }, { example: '2027-01-31T00:00:00Z', ...described }, (value) => {
    if (typeof value !== 'string') return new Refusal('wrong-type', 'This must be a string.');
    const read = RFC_3339.test(value) && isInCalendar(value) ? new Date(value.toUpperCase()) : undefined;
    return read === undefined || !isInFourDigits(read)
      ? new Refusal('invalid-format', 'This must be a time in RFC 3339, such as 2027-01-31T00:00:00Z.')
      : read;
  });
}

/** A time that there is, and that RFC 3339 can write in UTC: an offset may lead out of the years 0000 to 9999. */
function isInFourDigits(read: Date): boolean {
  const year = read.getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/** A date that there is, and no hour 24: JavaScript reads 30 February as 2 March. */
function isInCalendar(value: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0] = value.split(/[-T:]/i, 4).map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() && hour <= 23;
}

export type Parsed<Value> =
  { readonly kind: 'value'; readonly value: Value } | { readonly kind: 'faults'; readonly faults: Fault[] };

/** Reads `input` with `schema`; every fault at once. `within` is put before each pointer. */
export function parse<Value>(schema: z.ZodType<Value>, input: unknown, within = ''): Parsed<Value> {
  const result = schema.safeParse(input, { reportInput: true });
  return result.success
    ? { kind: 'value', value: result.data }
    : { kind: 'faults', faults: result.error.issues.flatMap((issue) => faultsOf(issue, within)) };
}

export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function faultsOf(issue: z.core.$ZodIssue, within: string): Fault[] {
  const at = within + pointer(issue.path);
  if (issue.code === 'custom') return [{ pointer: at, code: customCode(issue), detail: issue.message }];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownParameter(at + pointer([key]), key));
  if (issue.code === 'too_big') {
    return [{ pointer: at, code: 'too-many', detail: `At most ${issue.maximum} may be given.` }];
  }
  if (issue.code === 'too_small') {
    return [{ pointer: at, code: 'too-few', detail: `At least ${issue.minimum} must be given.` }];
  }
  if (issue.code === 'invalid_type') return [typeFault(at, issue.expected, issue.input)];
  if (issue.code === 'invalid_union') return [unionFault(at, issue)];
  return [{ pointer: at, code: 'invalid-value', detail: issue.message }];
}

function customCode({ params }: z.core.$ZodIssueCustom): string {
  const code: unknown = params?.['code'];
  return typeof code === 'string' ? code : 'invalid-value';
}

function unknownParameter(at: string, name: string): Fault {
  return { pointer: at, code: 'unknown-parameter', detail: `There is no parameter ${name}.` };
}

function typeFault(at: string, expected: string, input: unknown): Fault {
  return input === undefined || input === null
    ? { pointer: at, code: 'required', detail: 'This field is required.' }
    : { pointer: at, code: 'wrong-type', detail: `This must be an ${expected === 'record' ? 'object' : expected}.` };
}

function unionFault(at: string, issue: z.core.$ZodIssueInvalidUnion): Fault {
  const input: unknown = issue.input;
  const given =
    typeof input === 'object' && input !== null && issue.discriminator !== undefined
      ? (input as Record<string, unknown>)[issue.discriminator]
      : input;
  if (given === undefined || given === null)
    return { pointer: at, code: 'required', detail: 'This field is required.' };
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.join(', ') : 'the known ones';
  return { pointer: at, code: 'unknown-value', detail: `This must be one of ${options}.` };
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
  if (found === undefined) throw new Error('only a plain field can be made optional');
  return found;
}

function describe(schema: JsonSchema, { description, example }: Described): JsonSchema {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) };
}

function nullable(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema['anyOf'])) return { ...schema, anyOf: [...schema['anyOf'], { type: 'null' }] };
  const withNull = { ...schema, type: [schema['type'], 'null'] };
  return Array.isArray(schema['enum']) ? { ...withNull, enum: [...schema['enum'], null] } : withNull;
}
