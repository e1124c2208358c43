import * as fc from 'fast-check';
import type { Dice } from '#test/support/random.ts';
import { HOSTILE_TEXTS } from './hostile.ts';
import type { Schema } from './interface.ts';
import { Digits, Members, type Written, written } from './json-text.ts';

/** The sources of values. */
export type Source = {
  readonly dice: Dice;
  readonly resolve: (schema: Schema) => Schema;
  /** Returns a value that responses have shown under this name, or undefined if there is none. */
  readonly known: (name: string) => string | number | undefined;
  /** The share of values at the edge of what is allowed, or just beyond it. */
  readonly edges: number;
};

const SHARE_OF_OPTIONAL = 0.35;
const SHARE_OF_KNOWN = 0.75;
/** Deeper than any body that the document allows, because conditions of filters can be nested. */
const MAX_DEPTH = 6;

/** Draws a value that the schema allows. At its edges, a value may also be slightly too long, too many or too small. */
export function drawValue(source: Source, given: Schema, name = '', depth = 0): Written {
  const { dice } = source;
  const schema = source.resolve(given);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return drawValue(source, dice.pick(choices), name, depth);
  if (schema.const !== undefined) return written(schema.const);
  if (schema.enum !== undefined) return written(dice.pick(schema.enum));
  const type = typeof schema.type === 'string' ? schema.type : dice.pick(schema.type ?? ['string']);
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return dice.chance(0.5);
    case 'integer':
    case 'number':
      return new Digits(drawNumber(source, schema, name, type));
    case 'array':
      return drawList(source, schema, name, depth);
    case 'object':
      return drawObject(source, schema, depth);
    default:
      return drawText(source, schema, name);
  }
}

function drawObject(source: Source, schema: Schema, depth: number): Written {
  const { dice } = source;
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) === true || (depth < MAX_DEPTH && dice.chance(SHARE_OF_OPTIONAL)),
  );
  const members = fields.map(([name, field]) => [name, drawValue(source, field, name, depth + 1)] as const);
  const { additionalProperties: rest } = schema;
  if (rest === undefined) return new Members(members);
  const others = Array.from({ length: dice.roll(3) }, () => drawKey(source));
  return new Members([
    ...members,
    ...[...new Set(others)].map((name) => [name, drawValue(source, rest, name, depth + 1)] as const),
  ]);
}

const KEYS = ['site-visit', 'coupon-applied', 'newsletter', 'USD', 'EUR', 'x', '__proto__'];

function drawKey({ dice, known }: Source): string {
  return String((dice.chance(0.3) ? known('slug') : undefined) ?? dice.pick(KEYS));
}

function drawList(source: Source, schema: Schema, name: string, depth: number): Written {
  const { dice } = source;
  const { minItems = 0, maxItems = 8, items } = schema;
  const isAtEdge = dice.chance(source.edges);
  const most = depth > MAX_DEPTH ? minItems : Math.min(maxItems, minItems + 3);
  const length = isAtEdge
    ? dice.pick([0, minItems, Math.min(maxItems, 120)])
    : minItems + dice.roll(most - minItems + 1);
  const list = Array.from({ length }, () => drawValue(source, items ?? {}, singular(name), depth + 1));
  return list;
}

function drawNumber({ dice, known, edges }: Source, schema: Schema, name: string, type: string): string {
  const least = schema.minimum ?? schema.exclusiveMinimum ?? -(2 ** 53 - 1);
  const most = schema.maximum ?? 2 ** 53 - 1;
  if (dice.chance(edges)) return String(dice.pick([least, most, least - 1, most + 1, least + 1]));
  const found = dice.chance(SHARE_OF_KNOWN) ? known(name) : undefined;
  if (typeof found === 'number') return String(found);
  const span = Math.min(most - least, dice.pick([3, 100, 10_000]));
  const whole = Math.max(least, Math.min(1, most)) + dice.roll(span + 1);
  return type === 'number' && dice.chance(0.5) ? `${whole}.${dice.roll(100)}` : String(whole);
}

function drawText(source: Source, schema: Schema, name: string): string {
  const { dice, known, edges } = source;
  const found = dice.chance(SHARE_OF_KNOWN) ? known(name) : undefined;
  if (found !== undefined) return String(found);
  if (dice.chance(edges)) return edgeOf(dice, schema);
  if (schema.format === 'date-time') return new Date(Date.now() + (dice.roll(80) - 60) * 86_400_000).toISOString();
  if (schema.format === 'date')
    return new Date(Date.now() + (dice.roll(80) - 60) * 86_400_000).toISOString().slice(0, 10);
  if (schema.format === 'uri') return `https://shop-${dice.roll(20)}.example/whence`;
  if (schema.pattern !== undefined) return matching(schema.pattern, dice);
  const word = `${name}-${dice.roll(1_000)}`;
  return word.slice(0, schema.maxLength ?? word.length).padEnd(schema.minLength ?? 0, 'x');
}

function edgeOf(dice: Dice, { minLength = 0, maxLength = 300 }: Schema): string {
  const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].filter((length) => length >= 0);
  return dice.chance(0.5) ? dice.pick(['x', 'é', '🧾']).repeat(dice.pick(lengths)) : dice.pick(HOSTILE_TEXTS);
}

/** The number of samples made once for each pattern, because generating matching text is expensive. */
const SAMPLES = 40;
const samples = new Map<string, readonly string[]>();

function matching(pattern: string, dice: Dice): string {
  const known =
    samples.get(pattern) ?? fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: SAMPLES, seed: SAMPLES });
  samples.set(pattern, known);
  return dice.pick(known);
}

/** Returns the singular of a name: elements of `programIds` are drawn like `programId`. */
function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : name;
}
