import type { ConnectorKind } from './connector.ts';

/**
 * Returns the `source` of a new connector's orders. Returns undefined if another connector has the given source,
 * because two shops can have orders with the same number.
 *
 * The default is the kind, with a number if another connector has that source.
 */
export function sourceOf(kind: ConnectorKind, given: string | undefined, taken: readonly string[]): string | undefined {
  if (given !== undefined) return taken.includes(given) ? undefined : given;
  const candidates = [kind, ...taken.map((_, index) => `${kind}-${index + 2}`)];
  return candidates.find((candidate) => !taken.includes(candidate));
}
