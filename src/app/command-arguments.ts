import { InvalidArgumentError } from 'commander';
import { text } from '#core/contract/fields.ts';
import { parse } from '#core/contract/parse.ts';
import { email } from '#access/contract/password.ts';
import { hasControlCharacters, isStorableText } from '#core/contract/text.ts';
import type { ApiKeyId, OrganizationId } from '#core/ids.ts';
import { MAX_USER_TEXT, NOBODY, type PlatformUserId, userFromText } from '#core/user.ts';

/* Readers of command-line arguments. Each returns a valid value, or throws an InvalidArgumentError with the reason. */

const name = text(1, 255, { description: 'A name.' });

export function readOrganizationId(given: string): OrganizationId {
  return readId(given) as OrganizationId;
}

export function readKeyId(given: string): ApiKeyId {
  return readId(given) as ApiKeyId;
}

function readId(given: string): number {
  const id = /^[1-9]\d{0,15}$/.test(given) ? Number(given) : NaN;
  if (!Number.isSafeInteger(id)) throw new InvalidArgumentError('It must be a positive integer.');
  return id;
}

/** Reads the name of an organization or the label of a key. */
export function readName(given: string): string {
  const parsed = parse(name, given);
  if (parsed.kind === 'value') return parsed.value;
  throw new InvalidArgumentError('It must be text of 1 to 255 characters without NUL.');
}

export function readAddress(given: string): string {
  const parsed = parse(email, given);
  if (parsed.kind === 'value') return parsed.value;
  throw new InvalidArgumentError('It must be an email address, such as ada@example.com.');
}

/** Reads a user id of the shop's platform. */
export function readUserId(given: string): PlatformUserId {
  const user = userFromText(given);
  const isId =
    typeof user === 'number'
      ? user !== NOBODY
      : user !== '' && user.length <= MAX_USER_TEXT && isStorableText(user) && !hasControlCharacters(user);
  if (!isId)
    throw new InvalidArgumentError(
      `It must be a positive integer, or text of 1 to ${MAX_USER_TEXT} characters without control characters.`,
    );
  return user;
}
