import type { ConnectorKind, ConnectorMode } from './connector.ts';

/**
 * Returns the `source` of a new connector's orders. The default is its kind. Test orders have a separate source, so
 * that they can't conflict with live orders.
 */
export function sourceOf(kind: ConnectorKind, mode: ConnectorMode, given: string | undefined): string {
  return given ?? (mode === 'live' ? kind : `${kind}-test`);
}
