import type { StoredFile } from '#materials/store/materials.ts';

/**
 * The maximum total size of the files of one organization that a process sends at one time, in bytes. A file in several
 * responses counts once. Slow clients keep a file in memory until they have read it.
 */
export const MAX_BYTES_SENT = 32 * 1024 * 1024;

export type SharedFile =
  | { readonly kind: 'ready'; readonly content: Buffer; readonly release: () => void }
  /** The file was deleted in the meantime. */
  | { readonly kind: 'gone' }
  /** Together with the organization's other files that are being sent, the file would exceed MAX_BYTES_SENT. */
  | { readonly kind: 'full' };

/** Returns the content of a file. Call `release` after the content was sent. */
export type TakeFile = (file: StoredFile) => Promise<SharedFile>;

/**
 * The maximum total size of files that stay in memory after they were sent, in bytes. Reading such a file again would
 * take up to 60 ms.
 */
export const MAX_IDLE_BYTES = 32 * 1024 * 1024;

/**
 * Returns a function that reads files with `read`. Concurrent responses with the same file share one copy in memory, so
 * any number of slow clients need no more memory than one client. The files that were sent last stay in memory.
 */
export function sharedFiles(read: (key: string) => Promise<Buffer | undefined>): TakeFile {
  type Kept = { readonly content: Promise<Buffer | undefined>; readonly bytes: number; users: number };
  const sending = new Map<string, Kept>();
  /** The files that stay in memory after they were sent, in the order in which they were last sent. */
  const idle = new Map<string, Kept>();
  const bytesOf = new Map<number, number>();
  let idleBytes = 0;

  return async (file) => {
    const { organizationId, key, hash, bytes } = file;
    const name = `${key} ${hash.toString('base64')}`;
    const sent = bytesOf.get(organizationId) ?? 0;
    let entry = sending.get(name);
    if (entry === undefined) {
      if (sent + bytes > MAX_BYTES_SENT) return { kind: 'full' };
      entry = takeIdle(name) ?? { content: read(key), bytes, users: 0 };
      sending.set(name, entry);
      bytesOf.set(organizationId, sent + bytes);
    }
    const used = entry;
    used.users += 1;
    const release = (isUsable: boolean): void => {
      used.users -= 1;
      if (used.users > 0) return;
      sending.delete(name);
      const left = (bytesOf.get(organizationId) ?? 0) - bytes;
      if (left > 0) bytesOf.set(organizationId, left);
      else bytesOf.delete(organizationId);
      if (isUsable) keepIdle(name, used);
    };
    try {
      const content = await used.content;
      if (content !== undefined) return { kind: 'ready', content, release: () => release(true) };
    } catch (error) {
      release(false);
      throw error;
    }
    release(false);
    return { kind: 'gone' };
  };

  function takeIdle(name: string): Kept | undefined {
    const found = idle.get(name);
    if (found === undefined) return undefined;
    idle.delete(name);
    idleBytes -= found.bytes;
    return found;
  }

  function keepIdle(name: string, entry: Kept): void {
    idle.set(name, entry);
    idleBytes += entry.bytes;
    for (const oldest of idle.keys()) {
      if (idleBytes <= MAX_IDLE_BYTES) break;
      takeIdle(oldest);
    }
  }
}
