/** A change of some fields. An undefined field stays unchanged. */
type Change<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** Returns `fields` with `change` applied, or undefined if nothing differs. */
export function changedFields<Fields extends object>(fields: Fields, change: Change<Fields>): Fields | undefined {
  const changed = { ...fields, ...givenFields(change) };
  return isSame(changed, fields) ? undefined : changed;
}

/** Returns the fields of a change that are defined. */
export function givenFields<Fields extends object>(change: Change<Fields>): Partial<Fields> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

/** Compares plain values deeply: text, numbers, bigints, lists in order, and objects in any order of their fields. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [mine, theirs] = [Object.entries(one), Object.entries(other)];
  return mine.length === theirs.length && mine.every(([name, value]) => isSame(value, Reflect.get(other, name)));
}
