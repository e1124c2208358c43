/** A field with different values before and after a change. */
export type ChangedField = { readonly name: string; readonly before: unknown; readonly after: unknown };

/**
 * Returns the differences between two states of a resource, field by field. Nested fields have dotted names.
 *
 * A state is null before the resource is created and after it is deleted. The result then has a single field without a
 * name. `updatedAt` is omitted, because it repeats the time of the change.
 */
export function changedFields(before: unknown, after: unknown, within = ''): ChangedField[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names]
      .filter((name) => name !== 'updatedAt')
      .flatMap((name) => changedFields(before[name], after[name], within === '' ? name : `${within}.${name}`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ name: within, before, after }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
