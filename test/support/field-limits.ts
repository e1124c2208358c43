import type { Call, Interface, Schema } from '../../fuzz/interface.ts';
import { Digits, Members, type Written } from '../../fuzz/json-text.ts';
import { drawValue } from '../../fuzz/schema-values.ts';
import { diceOf } from './random.ts';

/** Where the document bounds what callers send: a text by its characters, a list by its entries, a number by itself. */
export type FieldLimit = {
  readonly call: Call;
  readonly in: 'body' | 'query' | 'path' | 'header';
  /** Names on the way into the body (`[]`: an entry, `{}`: a key of the caller's own), or that of the parameter. */
  readonly path: readonly string[];
  readonly kind: 'characters' | 'entries' | 'number';
  readonly limit: number;
  /** What the field holds; of several kinds the one that is bounded so. */
  readonly schema: Schema;
};

const KEYWORDS = [
  ['maxLength', 'characters'],
  ['maxItems', 'entries'],
  ['maximum', 'number'],
] as const;

/** Every limit that the document sets to bodies and parameters. */
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

/** What people call the field: the last name on the way to it, with what it is an entry of. */
export function nameOf({ path }: Pick<FieldLimit, 'path'>): string {
  const last = path.findLastIndex((part) => part !== '[]' && part !== '{}');
  return path.slice(last).join('');
}

/** Where a problem would name the field: entries by the first, keys by `site-visit`, which there always is. */
export function pointerOf({ path }: Pick<FieldLimit, 'path'>): string {
  return path.map((part) => `/${part === '[]' ? '0' : part === '{}' ? KEY : part}`).join('');
}

const KEY = 'site-visit';

/** A body with this value in the place of the field, and else as `base` has it; undefined where no body can. */
export function bodyWith(served: Interface, { call, path }: FieldLimit, value: Written, base: Written): Written {
  const made = call.body === undefined ? undefined : placed(served, call.body, path, value, base);
  if (made === undefined) throw new Error(`${call.id} has no ${path.join('.')}`);
  return made;
}

function placed(
  served: Interface,
  given: Schema,
  path: readonly string[],
  value: Written,
  base: Written | undefined,
): Written | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  const schema = served.resolve(given);
  // One of several shapes: whatever stands there may be another.
  for (const choice of schema.oneOf ?? schema.anyOf ?? []) {
    const made = placed(served, choice, path, value, undefined);
    if (made !== undefined) return made;
  }
  const inner = partsOf(schema).find(([[name]]) => name === part)?.[1];
  if (inner === undefined) return undefined;
  if (part === '[]') return listOf(placed(served, inner, rest, value, undefined));
  const members = new Map(base instanceof Members ? base.list : []);
  if (base === undefined)
    for (const name of schema.required ?? []) members.set(name, fitting(served, schema.properties?.[name] ?? {}, name));
  const name = part === '{}' ? KEY : part;
  const made = placed(served, inner, rest, value, members.get(name));
  return made === undefined ? undefined : new Members([...members.set(name, made)]);
}

function listOf(entry: Written | undefined): Written | undefined {
  return entry === undefined ? undefined : [entry];
}

/** A value that the schema allows. */
export function fitting({ resolve }: Interface, schema: Schema, name = ''): Written {
  return drawValue({ dice: diceOf(1), resolve, known: () => undefined, edges: 0 }, schema, name);
}

/** A value that is as large as this, by the measure of the limit. */
export function sized(served: Interface, { kind, schema }: FieldLimit, size: number): Written {
  switch (kind) {
    case 'characters':
      return 'x'.repeat(size);
    case 'number':
      return new Digits(String(BigInt(size)));
    case 'entries':
      return Array.from({ length: size }, () => fitting(served, schema.items ?? {}));
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
