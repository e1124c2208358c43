import type { Json, JsonObject } from '../domain/connector.ts';
import { isObject } from '../domain/json.ts';

/** Parses a message. Returns undefined unless it is a JSON object. */
export function parseObject(body: Buffer): JsonObject | undefined {
  try {
    const value = JSON.parse(body.toString('utf8')) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
