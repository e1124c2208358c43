import * as fc from 'fast-check';
import { HOSTILE_NUMBERS, HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile.ts';
import type { Schema } from './interface.ts';
import { Digits, Known, Members, toWritten, type Written } from './json-text.ts';

export type Style = {
  readonly resolve: (schema: Schema) => Schema;
  /** The share of values that are at the limits of the schema or just beyond them. */
  readonly edges: number;
  readonly hostile: number;
};

const OPTIONAL = 0.35;
const KNOWN = 0.75;
const FOREIGN = 0.08;
/** Optional fields are left out below this depth, because conditions of filters can be nested. */
const MAX_DEPTH = 4;
const ABSENT = Symbol('absent');
const KEYS = ['site-visit', 'coupon-applied', 'newsletter', 'USD', 'EUR', 'x', '__proto__'];
const DAY_MS = 86_400_000;

/**
 * Generates values that the schema allows and, in the shares that `style` sets, other values. The values shrink to
 * fewer members.
 */
export function valuesOf(style: Style, given: Schema, name = '', depth = 0): fc.Arbitrary<Written> {
  const values = allowed(style, style.resolve(given), name, depth);
  return rarely(style.hostile, HOSTILE, values);
}

/** Generates true with the given probability. Shrinks to false. */
export function chance(share: number): fc.Arbitrary<boolean> {
  return fc.nat(999).map((n) => n >= 1_000 * (1 - share));
}

/** Generates a value of `rare` with the probability `share`, and otherwise of `usual`. */
export function rarely<Value>(
  share: number,
  rare: fc.Arbitrary<Value>,
  usual: fc.Arbitrary<Value>,
): fc.Arbitrary<Value> {
  if (share === 0) return usual;
  const weight = Math.round(1_000 * share);
  return fc.oneof({ weight: 1_000 - weight, arbitrary: usual }, { weight, arbitrary: rare });
}

const HOSTILE: fc.Arbitrary<Written> = fc.oneof(
  fc.constantFrom(...HOSTILE_VALUES),
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.constantFrom(...HOSTILE_NUMBERS).map((text) => new Digits(text)),
);

function allowed(style: Style, schema: Schema, name: string, depth: number): fc.Arbitrary<Written> {
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    // Below the maximum depth, use the alternative with the shortest description, because it ends the recursion.
    const least = choices.toSorted((a, b) => sizeOf(style, a) - sizeOf(style, b)).slice(0, 1);
    return fc.oneof(...(depth > MAX_DEPTH ? least : choices).map((choice) => valuesOf(style, choice, name, depth + 1)));
  }
  if (schema.const !== undefined) return fc.constant(toWritten(schema.const));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map(toWritten));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['string']);
  return fc.oneof(...types.map((type) => ofType(style, schema, type, name, depth)));
}

function ofType(style: Style, schema: Schema, type: string, name: string, depth: number): fc.Arbitrary<Written> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return rarely(style.edges, edgeNumbers(schema), known(name, 'number', numbers(schema, type)));
    case 'array':
      return lists(style, schema, name, depth);
    case 'object':
      return objects(style, schema, depth);
    default:
      return rarely(style.edges, edgeTexts(schema), known(name, 'text', texts(schema, name)));
  }
}

function objects(
  style: Style,
  { properties = {}, required = [], additionalProperties }: Schema,
  depth: number,
): fc.Arbitrary<Written> {
  const fields = Object.entries(properties).filter(([name]) => required.includes(name) || depth <= MAX_DEPTH);
  const members = fields.map(([name, schema]) => {
    const values = valuesOf(style, schema, name, depth + 1).map((value): Member => [name, value]);
    return maybe(required.includes(name) ? 1 - style.hostile : OPTIONAL, values);
  });
  const extra =
    additionalProperties === undefined
      ? fc.constant<Member[]>([])
      : fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), valuesOf(style, additionalProperties, '', depth + 1)), {
          maxLength: 2,
          selector: ([name]) => name,
        });
  // Add an unknown member, a member that every object inherits, or a duplicate.
  const names = ['unknown', '__proto__', 'constructor', 'id', 'organizationId', fields[0]?.[0] ?? 'x'];
  const added = maybe(
    style.hostile,
    fc.constantFrom(...names).map((name): Member => [name, new Digits('1')]),
  );
  return fc.tuple(fc.tuple(...members), extra, added).map(([own, others, more]) => {
    const all: (Member | typeof ABSENT)[] = [...own, ...others, more];
    return new Members(all.filter(isPresent));
  });
}

type Member = readonly [name: string, value: Written];

/** Generates a value with the given probability, and otherwise leaves it out. Shrinks to leaving it out. */
export function maybe<Value>(share: number, values: fc.Arbitrary<Value>): fc.Arbitrary<Value | typeof ABSENT> {
  const weight = Math.round(1_000 * share);
  if (weight === 1_000) return values;
  const absent = { weight: 1_000 - weight, arbitrary: fc.constant(ABSENT) };
  return fc.oneof({ withCrossShrink: true }, absent, { weight, arbitrary: values });
}

export function isPresent<Value>(value: Value | typeof ABSENT): value is Value {
  return value !== ABSENT;
}

function lists(
  style: Style,
  { minItems = 0, maxItems = 8, items = {} }: Schema,
  name: string,
  depth: number,
): fc.Arbitrary<Written> {
  // Elements of `programIds` are generated like `programId`.
  const values = valuesOf(style, items, name.replace(/s$/, ''), depth + 1);
  const usual = fc.array(values, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) });
  const most = Math.min(maxItems, 120);
  const edge = fc.oneof(fc.constant([]), fc.array(values, { minLength: most, maxLength: most }));
  return depth > MAX_DEPTH
    ? fc.array(values, { minLength: minItems, maxLength: minItems })
    : rarely(style.edges, edge, usual);
}

function limitsOf({ minimum, exclusiveMinimum, maximum }: Schema): [least: number, most: number] {
  return [minimum ?? exclusiveMinimum ?? -(2 ** 53 - 1), maximum ?? 2 ** 53 - 1];
}

function numbers(schema: Schema, type: string): fc.Arbitrary<Written> {
  const [least, most] = limitsOf(schema);
  const first = Math.max(least, Math.min(1, most));
  const spans = [3, 100, 10_000].map((span) => fc.integer({ min: first, max: Math.min(most, first + span) }));
  const cents = maybe(type === 'number' ? 0.5 : 0, fc.nat(99));
  return fc
    .tuple(fc.oneof(...spans), cents)
    .map(([whole, part]) => new Digits(isPresent(part) ? `${whole}.${part}` : `${whole}`));
}

function edgeNumbers(schema: Schema): fc.Arbitrary<Written> {
  const [least, most] = limitsOf(schema);
  return fc.constantFrom(least, most, least - 1, most + 1, least + 1).map((number) => new Digits(String(number)));
}

function texts({ format, pattern, maxLength = 300, minLength = 0 }: Schema, name: string): fc.Arbitrary<string> {
  const time = fc.integer({ min: -60, max: 19 }).map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  if (format === 'date-time') return time;
  if (format === 'date') return time.map((text) => text.slice(0, 10));
  if (format === 'uri') return fc.nat(19).map((n) => `https://shop-${n}.example/whence`);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.nat(999).map((n) => `${name}-${n}`.slice(0, maxLength).padEnd(minLength, 'x'));
}

function edgeTexts({ minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].filter((length) => length >= 0);
  const long = fc
    .tuple(fc.constantFrom('x', 'é', '🧾'), fc.constantFrom(...lengths))
    .map(([letter, n]) => letter.repeat(n));
  return fc.oneof(long, fc.constantFrom(...HOSTILE_TEXTS));
}

/**
 * Generates references to values that responses have shown under the given name, and some other values. A reference is
 * replaced with its value when the request is sent.
 */
function known(name: string, kind: Known['kind'], otherwise: fc.Arbitrary<Written>): fc.Arbitrary<Written> {
  return fc
    .tuple(chance(KNOWN), fc.nat(99), chance(FOREIGN), otherwise)
    .map(([isKnown, nth, isForeign, value]) => (isKnown ? new Known(name, kind, nth, isForeign, value) : value));
}

function sizeOf({ resolve }: Style, schema: Schema): number {
  return JSON.stringify(resolve(schema)).length;
}
