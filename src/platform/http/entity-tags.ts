import { hash } from 'node:crypto';

const TAG_LENGTH = 22;

/** Returns the ETag of a resource, a hash of its representation, so that every visible change also changes the ETag. */
export function entityTag(shown: string | Buffer): string {
  return `"${hash('sha256', shown, 'base64url').slice(0, TAG_LENGTH)}"`;
}

/**
 * Returns whether an If-Match or If-None-Match header contains the given ETag or is `*`. A compressing proxy makes a
 * tag weak (`W/"…"`). A weak tag still identifies the same resource, so weak tags match in both headers. A malformed
 * tag matches nothing.
 */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
