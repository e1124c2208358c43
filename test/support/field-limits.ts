import type { Call, Interface, Schema } from '../../tools/fuzz/interface.ts';
import * as fc from 'fast-check';
import { Digits, Members, resolveKnown, type Written } from '../../tools/fuzz/json-text.ts';
import { valuesOf } from '../../tools/fuzz/values.ts';

/**
 * A limit that the OpenAPI document sets on a request: the length of a string, the length of a list, or the value of
 * a number.
 */
export type FieldLimit = {
  readonly call: Call;
  readonly in: 'body' | 'query' | 'path' | 'header';
  /**
   * The property names on the path into the body, or the parameter's name. In a path, `[]` is a list entry, and `{}` is
   * a key that the caller chooses.
   */
  readonly path: readonly string[];
  readonly kind: 'characters' | 'entries' | 'number';
  readonly limit: number;
  /** The schema of the field. If the field has alternatives, the schema of the alternative with the limit. */
  readonly schema: Schema;
};

const KEYWORDS = [
  ['maxLength', 'characters'],
  ['maxItems', 'entries'],
  ['maximum', 'number'],
] as const;

/** Returns every limit that the OpenAPI document sets on bodies and parameters. */
export function fieldLimitsOf({ calls, resolve }: Interface): readonly FieldLimit[] {
  return calls.flatMap((call) => {
    const ofParameters = call.parameters.flatMap(({ name, schema, in: where }) =>
      limitsIn(schema, [name]).map((found) => ({ call, in: where, ...found })),
    );
    const ofBody = call.body === undefined ? [] : limitsIn(call.body, []);
    return [...ofParameters, ...ofBody.map((found) => ({ call, in: 'body' as const, ...found }))];
  });

  function limitsIn(given: Schema, path: readonly string[]): Pick<FieldLimit, 'path' | 'kind' | 'limit' | 'schema'>[] {
    const schema = resolve(given);
    const own = KEYWORDS.flatMap(([keyword, kind]) => {
      const limit = schema[keyword];
      return limit === undefined ? [] : [{ path, kind, limit, schema }];
    });
    return [...own, ...partsOf(schema).flatMap(([part, inner]) => limitsIn(inner, [...path, ...part]))];
  }
}

/** Returns the field's readable name: the last name on its path. For list entries, `[]` follows the list's name. */
export function nameOf({ path }: Pick<FieldLimit, 'path'>): string {
  const last = path.findLastIndex((part) => part !== '[]' && part !== '{}');
  return path.slice(last).join('');
}

/**
 * Returns the field's pointer in a problem. In a list, it points to the first entry. In an object with keys that the
 * caller chooses, it points to the key `site-visit`.
 */
export function pointerOf({ path }: Pick<FieldLimit, 'path'>): string {
  return path.map((part) => `/${part === '[]' ? '0' : part === '{}' ? KEY : part}`).join('');
}

const KEY = 'site-visit';

/**
 * Returns a body with the given value in the field. All other fields are taken from `base`. Throws if the body has no
 * such field.
 */
export function bodyWith(served: Interface, { call, path }: FieldLimit, value: Written, base: Written): Written {
  const made = call.body === undefined ? undefined : placeValue(served, call.body, path, value, base);
  if (made === undefined) throw new Error(`${call.id} has no ${path.join('.')}`);
  return made;
}

function placeValue(
  served: Interface,
  given: Schema,
  path: readonly string[],
  value: Written,
  base: Written | undefined,
): Written | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  const schema = served.resolve(given);
  // If the schema has alternatives, drop the base value, because it may belong to another alternative.
  for (const choice of schema.oneOf ?? schema.anyOf ?? []) {
    const made = placeValue(served, choice, path, value, undefined);
    if (made !== undefined) return made;
  }
  const inner = partsOf(schema).find(([[name]]) => name === part)?.[1];
  if (inner === undefined) return undefined;
  if (part === '[]') return listOf(placeValue(served, inner, rest, value, undefined));
  const members = new Map(base instanceof Members ? base.list : []);
  if (base === undefined)
    for (const name of schema.required ?? [])
      members.set(name, validValue(served, schema.properties?.[name] ?? {}, name));
  const name = part === '{}' ? KEY : part;
  const made = placeValue(served, inner, rest, value, members.get(name));
  return made === undefined ? undefined : new Members([...members.set(name, made)]);
}

function listOf(entry: Written | undefined): Written | undefined {
  return entry === undefined ? undefined : [entry];
}

/** Returns a value that the schema allows. */
export function validValue({ resolve }: Interface, schema: Schema, name = ''): Written {
  const [value = null] = fc.sample(valuesOf({ resolve, edges: 0, hostile: 0 }, schema, name), { numRuns: 1, seed: 1 });
  return resolveKnown(value, () => undefined);
}

/** Returns a string of `size` characters, a list of `size` entries, or the number `size`, by the kind of the limit. */
export function sizedValue(served: Interface, { kind, schema }: FieldLimit, size: number): Written {
  switch (kind) {
    case 'characters':
      return 'x'.repeat(size);
    case 'number':
      return new Digits(String(BigInt(size)));
    case 'entries':
      return Array<Written>(size).fill(validValue(served, schema.items ?? {}));
    default:
      return kind satisfies never;
  }
}

type Part = readonly [way: readonly string[], schema: Schema];

function partsOf({ anyOf = [], oneOf = [], properties = {}, items, additionalProperties }: Schema): readonly Part[] {
  return [
    ...[...anyOf, ...oneOf].map((schema): Part => [[], schema]),
    ...Object.entries(properties).map(([name, schema]): Part => [[name], schema]),
    ...(items === undefined ? [] : [[['[]'], items] satisfies Part]),
    ...(additionalProperties === undefined ? [] : [[['{}'], additionalProperties] satisfies Part]),
  ];
}
