/** A change to some fields of an object. A missing or undefined field stays unchanged. */
type Change<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** Returns a copy of `fields` with `change` applied, or undefined if all values stay the same. */
export function changedFields<Fields extends object>(fields: Fields, change: Change<Fields>): Fields | undefined {
  const changed = { ...fields, ...givenFields(change) };
  return isSame(changed, fields) ? undefined : changed;
}

/** Returns the fields of a change that are defined. */
export function givenFields<Fields extends object>(change: Change<Fields>): Partial<Fields> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

/**
 * Returns whether two plain values are deeply equal. Lists must have the same order, and objects can have any key
 * order.
 */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [mine, theirs] = [Object.entries(one), Object.entries(other)];
  return mine.length === theirs.length && mine.every(([name, value]) => isSame(value, Reflect.get(other, name)));
}
