import type { ApiKey } from '@whence/sdk';

export type KeyState = 'current' | 'replaced' | 'expired' | 'revoked';

/** Where a key stands at `now` (milliseconds since 1970): one that is replaced still holds until its end. */
export function keyState(
  { revokedAt, expiresAt, replacedBy }: Pick<ApiKey, 'revokedAt' | 'expiresAt' | 'replacedBy'>,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired';
  return replacedBy === null ? 'current' : 'replaced';
}
