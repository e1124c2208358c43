import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { looksLikeSvg } from '#organizations/domain/logo.ts';

/** The maximum size of a file, in bytes. */
export const MAX_FILE_BYTES = 2_097_152;
/** The maximum size of all files of an organization together, in bytes. */
export const MAX_STORED_BYTES = 104_857_600;
/** The maximum width and height of an image in pixels, which is also the maximum of JPEG and GIF. */
export const MAX_IMAGE_SIDE = 65_535;
export const MAX_FILE_NAME = 255;

export const FILE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
  'application/pdf',
] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** The file name extensions of each type, in lower case. */
const EXTENSIONS: Readonly<Record<FileType, readonly string[]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/svg+xml': ['svg'],
  'application/pdf': ['pdf'],
};

/** The number of bytes at the beginning of an image in which its size must be found. */
const MAX_HEADER_BYTES = 512 * 1024;
/** The maximum number of segments before the size in a JPEG. Photos have about 20. */
export const MAX_JPEG_SEGMENTS = 1_000;

/** The type of a file, and the size of an image in pixels. The size of an SVG is unknown. */
export type FileFacts = { readonly type: FileType; readonly width: number | null; readonly height: number | null };

/**
 * Reads the type of a file, and the size of an image, from the beginning of its content, not from its name. Returns
 * undefined for an empty or unsupported file, and for an image whose header is damaged or whose sides are too long.
 * Damage after the header is not detected.
 */
export function inspectFile(bytes: Buffer): FileFacts | undefined {
  // The image library can read beyond the end of the given bytes. A small Buffer shares its memory with other requests.
  // For a truncated header, the library would read data of other requests as the size of the image. A copy has its own
  // memory.
  const copy = new Uint8Array(bytes.subarray(0, MAX_HEADER_BYTES));
  const image = IMAGES.find(([, { validate }]) => tryRead(() => validate(copy)) === true);
  if (image !== undefined) {
    const [type, { calculate }] = image;
    const size = tryRead(() => calculate(copy));
    return size !== undefined && isSide(size.width) && isSide(size.height) ? { type, ...uprightSize(size) } : undefined;
  }
  if (bytes.subarray(0, PDF.length).equals(PDF)) return { type: 'application/pdf', width: null, height: null };
  return looksLikeSvg(bytes) ? { type: 'image/svg+xml', width: null, height: null } : undefined;
}

/**
 * Reads the size from the segments of a JPEG. The image library skips bytes that begin no segment one at a time, so a
 * hostile file of 512 KiB would block the process for 0.1 s. Throws for such a file.
 */
const JPEG: typeof JPG = {
  validate: JPG.validate,
  calculate: (bytes) => JPG.calculate(bytes.subarray(0, endOfJpegSize(bytes))),
};

/** Returns the index after the first segment with the size of a JPEG. */
function endOfJpegSize(bytes: Uint8Array): number {
  let at = 2;
  for (let segments = 0; segments < MAX_JPEG_SEGMENTS; segments += 1) {
    const [start, marker = 0, high = 0, low = 0] = bytes.subarray(at, at + 4);
    const length = 256 * high + low;
    if (start !== 0xff || length < 2) throw new Error('The file contains bytes that belong to no segment.');
    at += 2 + length;
    if (marker >= 0xc0 && marker <= 0xc2) return at;
  }
  throw new Error('The file has too many segments before its size.');
}

const IMAGES = [
  ['image/png', PNG],
  ['image/jpeg', JPEG],
  ['image/gif', GIF],
  ['image/webp', WEBP],
] as const;

const PDF = Buffer.from('%PDF-');

/**
 * Returns the result of `read`. Returns undefined if `read` throws, because the image library throws for damaged
 * headers.
 */
function tryRead<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function isSide(pixels: number): boolean {
  return Number.isInteger(pixels) && pixels > 0 && pixels <= MAX_IMAGE_SIDE;
}

type ImageSize = { readonly width: number; readonly height: number; readonly orientation?: number | undefined };

/**
 * Returns the size as browsers show the image. Photos whose Exif orientation is 5 to 8 are stored rotated by 90
 * degrees.
 */
function uprightSize({ width, height, orientation = 1 }: ImageSize) {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Returns whether a file name has an extension of the given type. */
export function hasExtension(name: string, type: FileType): boolean {
  return EXTENSIONS[type].some((extension) => name.toLowerCase().endsWith(`.${extension}`));
}

/** Returns the extensions of a type for people: `.jpg or .jpeg`. */
export function extensionsOf(type: FileType): string {
  return EXTENSIONS[type].map((extension) => `.${extension}`).join(' or ');
}

/** Matches file names without path separators and characters that a file system or a header may not allow. */
export const FILE_NAME_PATTERN = /^[^\p{Cc}\p{Cf}\\/:*?"<>|]+$/u;

/**
 * Returns the header that makes browsers save a file under its name, and never show it as a page. The name is sent in
 * ASCII and, for names with other characters, in UTF-8 too (RFC 6266).
 */
export function contentDisposition(name: string): string {
  const ascii = name.replaceAll(/[^ -~]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}
