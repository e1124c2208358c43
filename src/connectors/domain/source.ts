import type { ConnectorKind, ConnectorMode } from './connector.ts';

/**
 * Returns the `source` of a new connector's orders: the given one, or its kind. Test orders have one of their own, so
 * that they never meet live ones.
 */
export function sourceOf(kind: ConnectorKind, mode: ConnectorMode, given: string | undefined): string {
  return given ?? (mode === 'live' ? kind : `${kind}-test`);
}
