import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const GRAY = 0x80;

/**
 * Returns a gray PNG with the given width and height in pixels. Appends zeros until the file has `bytes` bytes. Image
 * readers ignore the zeros.
 */
export function pngOf(width: number, height: number, bytes = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Each pixel has 8 bits of gray. Each row begins with the number of its filter, which is 0.
  header[8] = 8;
  const row = Buffer.alloc(1 + width, GRAY).fill(0, 0, 1);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  const png = [SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  const image = Buffer.concat(png);
  return Buffer.concat([image, Buffer.alloc(Math.max(0, bytes - image.length))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
