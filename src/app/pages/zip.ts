import { crc32, deflateRawSync } from 'node:zlib';

const VERSION = 20;
/** The compression method Deflate. */
const DEFLATED = 8;
/** The flag for a file name in UTF-8. */
const NAME_IS_UTF8 = 0x0800;
/** The earliest date of the format, 1980-01-01. A fixed date makes the archive reproducible. */
const FIRST_DAY = 0x0021;
/** The operating system Unix, in the upper byte. Programs then read MODE as Unix permissions. */
const ON_UNIX = 0x0300;
/** The Unix mode of a regular file that everyone can read and its owner can write, in the upper 16 bits. */
const MODE = 0o100644 * 0x10000;

/** Returns a ZIP archive with one file. */
export function zipOf(path: string, content: Buffer): Buffer {
  const name = Buffer.from(path);
  const compressed = deflateRawSync(content);
  const properties = uint16(NAME_IS_UTF8, DEFLATED, 0, FIRST_DAY);
  const sizes = uint32(crc32(content), compressed.length, content.length);
  const shared = [uint16(VERSION), properties, sizes, uint16(name.length, 0)];

  const file = Buffer.concat([uint32(0x04034b50), ...shared, name, compressed]);
  const entry = Buffer.concat([
    uint32(0x02014b50),
    uint16(ON_UNIX + VERSION),
    ...shared,
    uint16(0, 0, 0),
    uint32(MODE, 0),
    name,
  ]);
  const end = Buffer.concat([uint32(0x06054b50), uint16(0, 0, 1, 1), uint32(entry.length, file.length), uint16(0)]);
  return Buffer.concat([file, entry, end]);
}

function uint16(...values: readonly number[]): Buffer {
  return Buffer.from(new Uint8Array(values.flatMap((value) => [value & 0xff, value >>> 8])));
}

function uint32(...values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => uint16(value & 0xffff, value >>> 16)));
}
