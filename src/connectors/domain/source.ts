import type { ConnectorKind, ConnectorMode } from './connector.ts';

/**
 * Returns the `source` of a new connector's orders. Returns undefined if another connector has the given source,
 * because two shops can have orders with the same number.
 *
 * The default is the kind. Test orders have a separate default, so that they can't conflict with live orders. If
 * another connector has the default source, a number is added.
 */
export function sourceOf(
  kind: ConnectorKind,
  mode: ConnectorMode,
  given: string | undefined,
  taken: readonly string[],
): string | undefined {
  if (given !== undefined) return taken.includes(given) ? undefined : given;
  const usual = mode === 'live' ? kind : `${kind}-test`;
  const candidates = [usual, ...taken.map((_, index) => `${usual}-${index + 2}`)];
  return candidates.find((candidate) => !taken.includes(candidate));
}
