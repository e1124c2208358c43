/** A field that is undefined stays as it is. */
type Change<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** `fields` with what `change` gives; undefined where that is the same again. */
export function changedFields<Fields extends object>(fields: Fields, change: Change<Fields>): Fields | undefined {
  const changed = { ...fields, ...givenFields(change) };
  return isSame(changed, fields) ? undefined : changed;
}

/** What of a change is given. */
export function givenFields<Fields extends object>(change: Change<Fields>): Partial<Fields> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

/** Plain values: text, numbers, bigints, lists in their order, objects in any. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [mine, theirs] = [Object.entries(one), Object.entries(other)];
  return mine.length === theirs.length && mine.every(([name, value]) => isSame(value, Reflect.get(other, name)));
}
