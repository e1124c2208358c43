/** A field whose value is another one after a change than before. */
export type ChangedField = { readonly name: string; readonly before: unknown; readonly after: unknown };

/**
 * What differs between two states of a resource, field by field; a field within another has a dot in its name. Either may
 * be null: it was made or taken away. `updatedAt` says nothing that the change's own time does not.
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
