import { hash } from 'node:crypto';

const TAG_LENGTH = 22;

/** The ETag of a resource: of the bytes that show it, so that whatever changes them changes it. */
export function entityTag(shown: string | Buffer): string {
  return `"${hash('sha256', shown, 'base64url').slice(0, TAG_LENGTH)}"`;
}

/**
 * Whether a resource with this ETag is what If-Match or If-None-Match names. A proxy that compresses makes a tag weak
 * (`W/"…"`): it still stands for the same resource, so it counts the same in both. Names nothing where it is malformed.
 */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
