import type { StoredFile } from '#materials/store/materials.ts';

/**
 * The maximum size of an organization's different files that a process sends at one time, in bytes. Clients that read
 * slowly keep a file in memory.
 */
export const MAX_BYTES_SENT = 32 * 1024 * 1024;

export type SharedFile =
  | { readonly kind: 'ready'; readonly content: Buffer; readonly release: () => void }
  /** The file was deleted in the meantime. */
  | { readonly kind: 'gone' }
  /** Other files of the organization that are being sent have MAX_BYTES_SENT. */
  | { readonly kind: 'full' };

/** Returns the content of a file. Call `release` after it was sent. */
export type TakeFile = (file: StoredFile) => Promise<SharedFile>;

/**
 * Returns a function that reads files with `read`. Concurrent responses with the same file share one copy in memory, so
 * any number of slow clients need no more memory than one.
 */
export function sharedFiles(read: (key: string) => Promise<Buffer | undefined>): TakeFile {
  type Taken = { readonly content: Promise<Buffer | undefined>; users: number };
  const taken = new Map<string, Taken>();
  const bytesOf = new Map<number, number>();

  return async (file) => {
    const { organizationId, key, hash, bytes } = file;
    const name = `${key} ${hash.toString('base64')}`;
    const known = taken.get(name);
    const sent = bytesOf.get(organizationId) ?? 0;
    if (known === undefined && sent + bytes > MAX_BYTES_SENT) return { kind: 'full' };
    const entry = known ?? { content: read(key), users: 0 };
    if (known === undefined) {
      taken.set(name, entry);
      bytesOf.set(organizationId, sent + bytes);
    }
    entry.users += 1;
    const release = (): void => {
      entry.users -= 1;
      if (entry.users > 0) return;
      taken.delete(name);
      const left = (bytesOf.get(organizationId) ?? 0) - bytes;
      if (left > 0) bytesOf.set(organizationId, left);
      else bytesOf.delete(organizationId);
    };
    try {
      const content = await entry.content;
      if (content !== undefined) return { kind: 'ready', content, release };
    } catch (error) {
      release();
      throw error;
    }
    release();
    return { kind: 'gone' };
  };
}
