/** Joins class names with spaces. Undefined, false and empty names are omitted. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}
