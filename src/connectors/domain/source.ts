import type { ConnectorKind, ConnectorMode, JsonObject } from './connector.ts';
import { textIn } from './json.ts';

/**
 * Returns the `source` of a connector's orders: the one in its settings, or its kind. Test orders have one of their
 * own, so that they never meet live ones.
 */
export function sourceOf(kind: ConnectorKind, mode: ConnectorMode, settings: JsonObject): string {
  return textIn(settings, 'source') ?? (mode === 'live' ? kind : `${kind}-test`);
}
