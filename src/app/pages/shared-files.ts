import type { OrganizationId } from '#core/ids.ts';
import type { StoredFile } from '#materials/store/materials.ts';

/**
 * The maximum total size of the files of one organization that a process sends at one time, in bytes. A file in several
 * responses counts once. Slow clients keep a file in memory until they have read it.
 */
export const MAX_BYTES_SENT = 32 * 1024 * 1024;
/** The maximum total size of the files of all organizations that a process sends at one time, in bytes. */
export const MAX_BYTES_SENT_OF_ALL = 128 * 1024 * 1024;

export type SharedFile =
  | { readonly kind: 'ready'; readonly content: Buffer; readonly release: () => void }
  /** The file was deleted in the meantime. */
  | { readonly kind: 'gone' }
  /** The file doesn't fit into the memory for files, or its response was ended before the file was read. */
  | { readonly kind: 'full' };

export type FileReader = {
  readonly network: string;
  /** Ends the response, because another network needs the memory. */
  readonly end: () => void;
};

/** Returns the content of a file. Call `release` after the content was sent. */
export type TakeFile = (file: StoredFile, reader: FileReader) => Promise<SharedFile>;

/**
 * The maximum total size of files that stay in memory after they were sent, in bytes. Reading such a file again would
 * take up to 60 ms.
 */
export const MAX_IDLE_BYTES = 32 * 1024 * 1024;

/**
 * Returns a function that reads files with `read`. Concurrent responses with the same file share one copy in memory, so
 * any number of slow clients need no more memory than one client. The files that were sent last stay in memory.
 *
 * If a file doesn't fit, responses to the network that is being sent the most bytes are ended, oldest file first. The
 * new file is refused if its own network would be sent as many bytes. So a few networks with slow clients can't prevent
 * the downloads of others.
 */
export function sharedFiles(read: (key: string) => Promise<Buffer | undefined>): TakeFile {
  type Kept = {
    readonly organizationId: OrganizationId;
    readonly content: Promise<Buffer | undefined>;
    readonly bytes: number;
    readonly readers: Set<FileReader>;
  };
  const sending = new Map<string, Kept>();
  /** The files that stay in memory after they were sent, in the order in which they were last sent. */
  const idle = new Map<string, Kept>();
  let idleBytes = 0;

  return async (file, { network, end }) => {
    const { organizationId, key, hash, bytes } = file;
    const name = `${key} ${hash.toString('base64')}`;
    if (!sending.has(name)) {
      const isOwn = (other: Kept): boolean => other.organizationId === organizationId;
      if (!makeRoom(file, network, isOwn, MAX_BYTES_SENT)) return { kind: 'full' };
      if (!makeRoom(file, network, () => true, MAX_BYTES_SENT_OF_ALL)) return { kind: 'full' };
      sending.set(name, takeIdle(name) ?? { organizationId, content: read(key), bytes, readers: new Set() });
    }
    const used = sending.get(name) as Kept;
    const reader: FileReader = {
      network,
      end: () => {
        release(true);
        end();
      },
    };
    used.readers.add(reader);
    const release = (isUsable: boolean): void => {
      if (!used.readers.delete(reader) || used.readers.size > 0) return;
      sending.delete(name);
      if (isUsable) keepIdle(name, used);
    };
    try {
      const content = await used.content;
      if (!used.readers.has(reader)) return { kind: 'full' };
      if (content !== undefined) return { kind: 'ready', content, release: () => release(true) };
    } catch (error) {
      release(false);
      throw error;
    }
    release(false);
    return { kind: 'gone' };
  };

  /**
   * Ends responses until the file fits into `limit`, together with the files in `sending` that match `isCounted`.
   * Returns false if no network is being sent more bytes than `network` would be.
   */
  function makeRoom(
    { bytes }: StoredFile,
    network: string,
    isCounted: (file: Kept) => boolean,
    limit: number,
  ): boolean {
    const counted = [...sending.values()].filter(isCounted);
    let total = bytesOf(counted) + bytes;
    if (total <= limit) return true;
    const sentTo = readersByNetwork(counted);
    const ownBytes = (sentTo.get(network)?.bytes ?? 0) + bytes;
    while (total > limit) {
      const most = [...sentTo.values()].reduce((one, other) => (other.bytes > one.bytes ? other : one));
      const [oldest] = most.readers;
      if (oldest === undefined || most.bytes <= ownBytes) return false;
      const [file, readers] = oldest;
      most.readers.delete(file);
      most.bytes -= file.bytes;
      for (const reader of readers) reader.end();
      if (file.readers.size === 0) total -= file.bytes;
    }
    return true;
  }

  /** Returns the files that are being sent to each network, oldest first, with the readers of each file. */
  function readersByNetwork(files: readonly Kept[]) {
    const sentTo = new Map<string, { bytes: number; readonly readers: Map<Kept, FileReader[]> }>();
    for (const file of files)
      for (const reader of file.readers) {
        const sent = sentTo.get(reader.network) ?? { bytes: 0, readers: new Map<Kept, FileReader[]>() };
        sentTo.set(reader.network, sent);
        const readers = sent.readers.get(file) ?? [];
        if (readers.length === 0) sent.bytes += file.bytes;
        sent.readers.set(file, readers);
        readers.push(reader);
      }
    return sentTo;
  }

  function bytesOf(files: readonly Kept[]): number {
    return files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

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
