import type { Json, JsonObject } from '../domain/connector.ts';
import { isObject } from '../domain/json.ts';

/** Parses a message to verify it. Returns undefined unless it is a JSON object. */
export function parseObject(body: Buffer): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(body.toString('utf8')) as Json);
  } catch {
    return undefined;
  }
}

/**
 * Parses a message to translate it. Integers that a number can't represent exactly become strings. Returns undefined
 * for a deeply nested message, because JSON.parse with a reviver recurses.
 */
export function parseExactly(text: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(text, exactly as (this: unknown, key: string, value: Json) => Json) as Json);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function objectOf(value: Json): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function exactly(_: string, value: Json, { source }: { readonly source?: string }): Json {
  return typeof value === 'number' && !Number.isSafeInteger(value) && isInteger(source) ? source : value;
}

function isInteger(source: string | undefined): source is string {
  return source !== undefined && /^-?[0-9]+$/.test(source);
}
