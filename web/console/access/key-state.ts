import type { ApiKey } from '@whence/sdk';

export type KeyState = 'current' | 'replaced' | 'expired' | 'revoked';

/** Returns the state of a key at `now` (milliseconds since 1970). A replaced key stays valid until it expires. */
export function keyState(
  { revokedAt, expiresAt, replacedBy }: Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'replacedBy'>,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired';
  return replacedBy === null ? 'current' : 'replaced';
}
