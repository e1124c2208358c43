import { isDeepStrictEqual } from 'node:util';

/** `fields` with what `change` gives (undefined: as it is); undefined where that is the same again. */
export function changedFields<Fields extends object>(
  fields: Fields,
  change: { readonly [Name in keyof Fields]?: Fields[Name] | undefined },
): Fields | undefined {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const changed = { ...fields, ...Object.fromEntries(given) } as Fields;
  return isDeepStrictEqual(changed, fields) ? undefined : changed;
}
