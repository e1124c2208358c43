import { NumberLiteral } from '#core/contract/number-literal.ts';
import { isStorableText } from '#core/contract/text.ts';
import { type JsonValue, MalformedJson, parseJson } from '#platform/json.ts';
import type { Json, JsonObject } from '../domain/connector.ts';
import { isObject } from '../domain/json.ts';

/** The maximum number of JSON values in a message. Orders recorded from real shops have fewer than 500. */
export const MAX_MESSAGE_VALUES = 50_000;

/**
 * Parses a message. Integers that a number can't represent exactly become strings. Returns undefined if the message
 * isn't a JSON object. Also returns undefined if it is nested too deeply or has too many values, because parsing it
 * would block other requests.
 */
export function parseMessage(body: Buffer): JsonObject | undefined {
  return parseWith(body, (text) => text);
}

/**
 * Parses the message of a stored event, like `parseMessage`. Removes NUL characters from strings and replaces lone
 * surrogates, because the database can't store them.
 */
export function parseStoredMessage(body: string): JsonObject | undefined {
  return parseWith(Buffer.from(body), (text) =>
    isStorableText(text) ? text : text.toWellFormed().replaceAll('\0', ''),
  );
}

function parseWith(body: Buffer, readText: (text: string) => string): JsonObject | undefined {
  try {
    return objectOf(toExactJson(parseJson(body, MAX_MESSAGE_VALUES), readText));
  } catch (error) {
    if (error instanceof MalformedJson) return undefined;
    throw error;
  }
}

function objectOf(value: Json): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function toExactJson(value: JsonValue, readText: (text: string) => string): Json {
  if (value instanceof NumberLiteral) return exactNumber(value.text);
  if (Array.isArray(value)) return value.map((each) => toExactJson(each, readText));
  if (typeof value === 'string') return readText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toExactJson(each, readText)]));
}

function exactNumber(text: string): number | string {
  const number = Number(text);
  return !Number.isSafeInteger(number) && /^-?[0-9]+$/.test(text) ? text : number;
}
