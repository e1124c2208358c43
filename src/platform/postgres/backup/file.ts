import { createHash, type Hash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, link, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/*
 * The format of a backup file: compressed lines of text. The first line identifies the file, and the last line verifies
 * everything before it. Between them is a section for each table: a line with its name and columns, its rows as written
 * by COPY, and a line `\.`.
 *
 *   {"kind":"whence back-up","format":1,…}
 *   {"table":"organizations","columns":["id",…]}
 *   1 Shop …
 *   \.
 *   {"end":{…},"sha256":"…"}
 */

export const FORMAT = 1;
const KIND = 'whence back-up';
/** The end of a section. No row equals it, because COPY escapes each backslash with another. */
const END_OF_ROWS = '\\.\n';
/** The compression level. It takes a third of the CPU time of the usual level 6, for a file that is a tenth larger. */
const COMPRESSION = { level: 3 };
const PIECE_BYTES = 2 ** 16;

/**
 * Thrown if a file isn't a backup, is damaged or incomplete, or is from an incompatible version. Nothing was restored.
 */
export class UnusableBackup extends Error {
  readonly code = 'unusable-backup';
  constructor(reason: string, options?: ErrorOptions) {
    super(`This file can't be restored: ${reason}`, options);
    this.name = 'UnusableBackup';
  }
}

/** Thrown if a file with the path of the new backup exists. A backup never replaces a file. */
export class BackupExists extends Error {
  readonly code = 'backup-exists';
  constructor(path: string) {
    super(`${path} already exists and isn’t overwritten. Name another file.`);
    this.name = 'BackupExists';
  }
}

export type Header = {
  /** The release that wrote the backup. */
  readonly release: string;
  readonly takenAt: string;
  readonly migrations: readonly { readonly version: number; readonly name: string; readonly checksum: string }[];
};

export type Section = { readonly table: string; readonly columns: readonly string[] };

/** The numbers of rows and the last values of the sequences, which are known once all rows are written. */
export type End = {
  readonly rows: Readonly<Record<string, number>>;
  readonly sequences: Readonly<Record<string, number>>;
};

/** A line of the file, or a block of rows. */
export type Written = { readonly header: Header } | { readonly section: Section } | { readonly end: End } | Buffer;

/**
 * Writes `content` to `path`, completely or not at all. The file has a temporary name until it is on disk. Returns its
 * size in bytes. Throws `BackupExists` if `path` exists.
 */
export async function writeBackupFile(path: string, content: AsyncIterable<Written>): Promise<number> {
  const target = resolve(path);
  await requireAbsence(target);
  const unfinished = `${target}.unfinished-${randomUUID().slice(0, 8)}`;
  // The file contains the whole database, so only its owner may read it.
  const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(Readable.from(linesOf(content), { objectMode: false }), createGzip(COMPRESSION), file);
    await place(unfinished, target);
    return file.bytesWritten;
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function requireAbsence(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new BackupExists(path);
}

async function* linesOf(content: AsyncIterable<Written>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let isInSection = false;
  for await (const piece of content) {
    let bytes: Buffer;
    if (Buffer.isBuffer(piece)) bytes = piece;
    else {
      const before = isInSection ? END_OF_ROWS : '';
      isInSection = 'section' in piece;
      bytes = Buffer.from(before);
      if ('end' in piece) {
        hash.update(bytes);
        yield bytes;
        yield Buffer.from(`${JSON.stringify({ ...piece, sha256: hash.digest('hex') })}\n`);
        return;
      }
      const line = 'header' in piece ? { kind: KIND, format: FORMAT, ...piece.header } : piece.section;
      bytes = Buffer.from(`${before}${JSON.stringify(line)}\n`);
    }
    hash.update(bytes);
    yield bytes;
  }
}

/**
 * Gives a finished file its final name. Uses a link, which fails if the target already exists, because a rename would
 * replace the target. Some file systems, such as FAT, don't support links. There, the file is renamed. Throws
 * `BackupExists` if the target exists.
 */
async function place(unfinished: string, target: string): Promise<void> {
  try {
    await link(unfinished, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new BackupExists(target);
    await requireAbsence(target);
    await rename(unfinished, target);
  }
  // A file is durable only once its directory entry is durable. Windows can't sync a directory.
  const folder = await open(dirname(target)).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

export type BackupFile = {
  readonly header: Header;
  /**
   * Yields the sections in the order of the file. Read the rows of a section to their end before requesting the next
   * section.
   */
  readonly sections: () => AsyncGenerator<Section & { readonly rows: AsyncGenerator<Buffer> }>;
  /**
   * Returns the totals that the file declares. Call it only after `sections` has ended. `sections` throws
   * `UnusableBackup` if the hash doesn't match.
   */
  readonly end: () => End;
  readonly close: () => void;
};

/**
 * Opens a file that `writeBackupFile` has written, and reads its header. Throws `UnusableBackup` if it isn't a backup
 * in this format. Damage after the header is found when the sections are read.
 */
export async function openBackupFile(path: string): Promise<BackupFile> {
  const file = createReadStream(path);
  const text = createGunzip({ chunkSize: PIECE_BYTES });
  // Ignore errors of the file here, because the reader of `text` gets them as well.
  const flowing = pipeline(file, text).catch(() => {});
  const reader = readingLines(text);
  let end: End | undefined;
  const close = (): void => {
    file.destroy();
    text.destroy();
    void flowing;
  };
  try {
    return { header: headerIn(await reader.line()), sections, end: () => end as End, close };
  } catch (error) {
    close();
    throw error;
  }

  async function* sections(): ReturnType<BackupFile['sections']> {
    for (;;) {
      const before = reader.hashed();
      const line = parsed(await reader.line());
      if ('end' in line) {
        if (line['sha256'] !== before)
          throw new UnusableBackup('its contents have changed since it was written. Use another backup.');
        end = line['end'] as End;
        return;
      }
      yield { ...(line as Section), rows: reader.rows() };
    }
  }
}

function headerIn(line: string): Header {
  const header = parsed(line);
  if (header['kind'] !== KIND) throw new UnusableBackup('it isn’t a Whence backup. Choose another file.');
  if (header['format'] !== FORMAT) {
    throw new UnusableBackup(
      `it has format ${String(header['format'])}, but this release of Whence only reads format ${FORMAT}. Use a newer release.`,
    );
  }
  return header as unknown as Header;
}

function parsed(line: string): Record<string, unknown> {
  try {
    // Object() wraps any JSON value, including null, so that its fields can be read safely.
    return Object(JSON.parse(line)) as Record<string, unknown>;
  } catch (cause) {
    throw new UnusableBackup('it isn’t a Whence backup, or it is damaged. Choose another file.', { cause });
  }
}

type LineReader = {
  readonly line: () => Promise<string>;
  /** Yields the rows up to the end of the section, in blocks of whole rows. */
  readonly rows: () => AsyncGenerator<Buffer>;
  /** Returns the hash of all data read so far. */
  readonly hashed: () => string;
};

const NEWLINE = 0x0a;

/** Returns a reader of lines that buffers at most one piece of the stream and one partial row. */
function readingLines(stream: Readable): LineReader {
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const hash: Hash = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);

  async function readOn(): Promise<void> {
    const { value, done } = await pieces.next().catch((cause: Error) => {
      throw 'syscall' in cause
        ? cause
        : new UnusableBackup(`it is damaged (${cause.message}). Use another backup.`, { cause });
    });
    if (done === true) throw new UnusableBackup('it is incomplete. Use another backup.');
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
  }

  function take(bytes: number): Buffer {
    const taken = rest.subarray(0, bytes);
    rest = rest.subarray(bytes);
    hash.update(taken);
    return taken;
  }

  async function line(): Promise<string> {
    while (!rest.includes(NEWLINE)) await readOn();
    return take(rest.indexOf(NEWLINE) + 1).toString();
  }

  async function* rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const whole = rest.lastIndexOf(NEWLINE) + 1;
      const end = endOfRows(rest.subarray(0, whole));
      const block = take(end ?? whole);
      if (block.length > 0) yield block;
      if (end !== undefined) {
        take(END_OF_ROWS.length);
        return;
      }
      await readOn();
    }
  }

  return { line, rows, hashed: () => hash.copy().digest('hex') };
}

/**
 * Returns the position of the line that ends the section, in bytes from the start of `lines`. Returns undefined if the
 * line isn't in `lines`, which must contain whole lines only.
 */
function endOfRows(lines: Buffer): number | undefined {
  if (lines.subarray(0, END_OF_ROWS.length).toString() === END_OF_ROWS) return 0;
  const found = lines.indexOf(`\n${END_OF_ROWS}`);
  return found === -1 ? undefined : found + 1;
}
