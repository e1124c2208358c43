import { MAX_ID, type UserId } from '../ids.ts';
import { MAX_USER_TEXT, NOBODY, type PlatformUserId, userFromText } from '../user.ts';
import { z } from 'zod';
import { readDecimal } from './decimal.ts';
import {
  clearable,
  type Described,
  type Field,
  field,
  type JsonSchema,
  optional,
  readText,
  refusal,
  type Refusal,
} from './fields.ts';
import { NumberLiteral } from './number-literal.ts';

/**
 * Returns a field for a user id of the merchant's platform. It accepts an integer from 1 to 2^53−1, as a number or as
 * digits in a string, or any other text.
 */
export function platformUser(described: Described): Field<PlatformUserId> {
  return field(wireSchema(1), described, (value) => readUser(value) ?? OUT_OF_RANGE);
}

/** Returns an optional user id field. Many platforms write 0 for a guest, so 0 and null count as absent. */
export function guestOrUser(described: Described): Field<PlatformUserId | undefined> {
  return optional(field<PlatformUserId | undefined>(wireSchema(0), described, readUser));
}

/**
 * Returns a user id field for a PATCH. An absent field leaves the user unchanged (undefined). Null and 0 clear the
 * user.
 */
export function clearableUser(described: Described): Field<PlatformUserId | null | undefined> {
  return clearable(field<PlatformUserId | null>(wireSchema(0), described, (value) => readUser(value) ?? null));
}

/** Returns a field for a user id in a response. */
export function shownUser(described: Described) {
  return z
    .union([z.int(), z.string()])
    .meta({ description: described.description, examples: [described.example ?? 42] });
}

function wireSchema(minimum: 0 | 1): JsonSchema {
  return {
    anyOf: [
      { type: 'integer', minimum, maximum: MAX_ID },
      { type: 'string', minLength: 1, maxLength: MAX_USER_TEXT },
    ],
  };
}

const OUT_OF_RANGE = refusal('out-of-range', `An integer user id must be from 1 to ${MAX_ID}.`);
const WRONG_TYPE = refusal('wrong-type', 'This must be an integer or a string.');

/** Returns the user id, undefined for a guest (0), or the reason why the value is refused. */
function readUser(value: unknown): PlatformUserId | undefined | Refusal {
  if (value instanceof NumberLiteral) return readInteger(value);
  if (typeof value !== 'string') return WRONG_TYPE;
  const user = userFromText(value);
  return typeof user === 'number' ? knownUser(user) : readText(user, 1, MAX_USER_TEXT, { noControlCharacters: true });
}

function readInteger({ text }: NumberLiteral): PlatformUserId | undefined | Refusal {
  const read = readDecimal(text, 0);
  if (read.kind === 'fraction') return WRONG_TYPE;
  return read.kind === 'exact' && read.value >= 0n && read.value <= BigInt(MAX_ID)
    ? knownUser(Number(read.value) as UserId)
    : OUT_OF_RANGE;
}

function knownUser(user: UserId): UserId | undefined {
  return user === NOBODY ? undefined : user;
}
