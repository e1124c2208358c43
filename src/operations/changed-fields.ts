/** `fields` with what `change` gives (undefined: as it is); undefined where that is the same again. */
export function changedFields<Fields extends object>(
  fields: Fields,
  change: { readonly [Name in keyof Fields]?: Fields[Name] | undefined },
): Fields | undefined {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const changed = { ...fields, ...Object.fromEntries(given) } as Fields;
  return isSame(changed, fields) ? undefined : changed;
}

/** Plain values: text, numbers, bigints, lists in their order, objects in any. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [mine, theirs] = [Object.entries(one), Object.entries(other)];
  return mine.length === theirs.length && mine.every(([name, value]) => isSame(value, Reflect.get(other, name)));
}
