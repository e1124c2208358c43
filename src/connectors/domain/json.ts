import type { Json, JsonObject } from './connector.ts';

/* Readers for the fields of payloads. A field may be missing or have another type than documented. */

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a field if it is an object, or else an empty object. */
export function objectIn(from: JsonObject, name: string): JsonObject {
  const value = from[name];
  return isObject(value) ? value : {};
}

export function textIn(from: JsonObject, name: string): string | undefined {
  const value = from[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function integerIn(from: JsonObject, name: string): number | undefined {
  const value = from[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** Returns the objects in a list, without its other values. Returns an empty list if the field isn't a list. */
export function objectsIn(from: JsonObject, name: string): readonly JsonObject[] {
  const value = from[name];
  return Array.isArray(value) ? value.filter((each: Json) => isObject(each)) : [];
}

/**
 * Returns an id from a field that contains either an id or an object with an id. Returns undefined if it contains
 * neither.
 */
export function idIn(from: JsonObject, name: string): string | undefined {
  return textIn(from, name) ?? textIn(objectIn(from, name), 'id');
}

/** Returns a time from a field in RFC 3339, or undefined if the field isn't a time. */
export function timeIn(from: JsonObject, name: string): Date | undefined {
  const time = new Date(textIn(from, name) ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
