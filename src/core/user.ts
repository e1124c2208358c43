import { MAX_ID, type UserId } from './ids.ts';

/** A user's id in the merchant's platform: an integer from 1 to 2^53−1, or any other text of 1 to 255 characters. */
export type PlatformUserId = UserId | string;

export const MAX_USER_TEXT = 255;

/**
 * The limit that separates users with text ids from erased users. A user with a text id is stored as a number below
 * this limit, and an erased user as a number from this limit to −1.
 */
export const TEXT_USERS_BELOW = -(2 ** 52);

/**
 * Reads a user id from text. Digits without leading zeros are read as an integer, unless the number is above 2^53−1. So
 * `42` is the same user as the integer 42, but `007` is a text id.
 */
export function userFromText(text: string): PlatformUserId {
  return /^(?:0|[1-9][0-9]{0,15})$/.test(text) && Number(text) <= MAX_ID ? (Number(text) as UserId) : text;
}

/** The user number of a guest or of an unknown user. No data is stored under this number. */
export const NOBODY = 0 as UserId;

/** Returns whether the stored user number was assigned by an erasure. */
export function isErasedUser(userId: UserId): boolean {
  return userId < 0 && userId >= TEXT_USERS_BELOW;
}

/**
 * Returns the user's id in the merchant's platform, or null for an erased user or no user. `text` is set for a user
 * with a text id.
 */
export function shownUser(userId: UserId | null, text: string | null): PlatformUserId | null {
  if (text !== null) return text;
  return userId !== null && userId > 0 ? userId : null;
}
