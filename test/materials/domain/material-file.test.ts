import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  contentDisposition,
  extensionsOf,
  FILE_NAME_PATTERN,
  hasExtension,
  inspectFile,
  MAX_JPEG_SEGMENTS,
} from '#materials/domain/material-file.ts';
import { pngOf } from '../images.ts';

const GIF = Buffer.from('474946383961030002000000', 'hex');
const WEBP = Buffer.from('524946461a000000574542505650384c0d0000002f04c0010007', 'hex');
const NOTHING = { width: null, height: null };

/** Returns a JPEG of 3 × 2 pixels, with an Exif orientation if given. */
function jpegOf(orientation?: number): Buffer {
  const exif = Buffer.from('ffe100224578696600004d4d002a0000000800010112000300000001', 'hex');
  const rest = Buffer.from(`000${orientation ?? 1}000000000000`, 'hex');
  const start = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');
  const size = Buffer.from('ffc0000b080002000301011100', 'hex');
  return Buffer.concat([start, ...(orientation === undefined ? [] : [exif, rest]), size, Buffer.from('ffd9', 'hex')]);
}

/** A comment segment of a JPEG file, with 65,537 bytes. It contains no image data. */
const COMMENT = Buffer.concat([Buffer.from('fffeffff', 'hex'), Buffer.alloc(65_533)]);

describe('the type and size of a file', () => {
  it('are read from its content', () => {
    assert.deepEqual(inspectFile(pngOf(728, 90)), { type: 'image/png', width: 728, height: 90 });
    assert.deepEqual(inspectFile(GIF), { type: 'image/gif', width: 3, height: 2 });
    assert.deepEqual(inspectFile(WEBP), { type: 'image/webp', width: 5, height: 8 });
    assert.deepEqual(inspectFile(jpegOf()), { type: 'image/jpeg', width: 3, height: 2 });
    assert.deepEqual(inspectFile(Buffer.from('<svg xmlns="…">')), { type: 'image/svg+xml', ...NOTHING });
    assert.deepEqual(inspectFile(Buffer.from('%PDF-1.7\n')), { type: 'application/pdf', ...NOTHING });
  });

  it('are the values of the upright image if Exif data rotates the photo', () => {
    assert.deepEqual(inspectFile(jpegOf(1)), { type: 'image/jpeg', width: 3, height: 2 });
    assert.deepEqual(inspectFile(jpegOf(6)), { type: 'image/jpeg', width: 2, height: 3 });
  });

  it('are unknown for empty, damaged, oversized and unsupported files', () => {
    const damaged = Buffer.from('89504e470d0a1a0a0000000d58585858', 'hex');
    const cut = Buffer.from('ffd8ffe00010', 'hex');
    const other = [Buffer.alloc(0), Buffer.from('<html><script></script>'), Buffer.from('GIF'), damaged, cut];
    for (const file of [...other, pngOf(0, 5), pngOf(5, 65_536)]) {
      assert.equal(inspectFile(file), undefined, file.toString('hex'));
    }
  });

  it('are unknown for a JPEG with bytes between its segments, or with more than 1,000 segments before its size', () => {
    const [head, rest] = [jpegOf().subarray(0, 20), jpegOf().subarray(20)];
    assert.equal(inspectFile(Buffer.concat([head, Buffer.from('01', 'hex'), rest])), undefined);
    const empty = (count: number) => Buffer.from('fffe0002'.repeat(count), 'hex');
    assert.equal(inspectFile(Buffer.concat([head, empty(MAX_JPEG_SEGMENTS - 2), rest]))?.width, 3);
    assert.equal(inspectFile(Buffer.concat([head, empty(MAX_JPEG_SEGMENTS - 1), rest])), undefined);
  });

  it('are unknown for an image whose size is not in its first 512 KiB', () => {
    const [head, rest] = [jpegOf().subarray(0, 20), jpegOf().subarray(20)];
    const comments = (count: number) => Buffer.concat(Array.from({ length: count }, () => COMMENT));
    assert.equal(inspectFile(Buffer.concat([head, comments(7), rest]))?.width, 3);
    assert.equal(inspectFile(Buffer.concat([head, comments(8), rest])), undefined);
  });
});

describe('a truncated image file', () => {
  for (const [type, hex] of [
    ['JPEG', 'ffd8ffe00002ffc000'],
    ['GIF', '474946383961'],
    ['PNG', '89504e470d0a1a0a0000000d49484452'],
    ['WebP', '524946461a000000574542505650384c0d000000'],
  ] as const) {
    it(`has a size that doesn’t depend on the bytes that follow it in memory (${type})`, () => {
      const [first, second] = [1, 2].map((fill) => {
        const memory = Buffer.alloc(64, fill);
        return inspectFile(memory.subarray(8, 8 + memory.write(hex, 8, 'hex')));
      });
      assert.deepEqual(first, second);
    });
  }
});

describe('the name of a file', () => {
  it('must have an extension of the type of the content', () => {
    assert.ok(hasExtension('Banner.JPG', 'image/jpeg') && hasExtension('banner.jpeg', 'image/jpeg'));
    assert.ok(!hasExtension('banner.html', 'image/png') && !hasExtension('png', 'image/png'));
    assert.equal(extensionsOf('image/jpeg'), '.jpg or .jpeg');
  });

  it('can’t have path separators, quotation marks, colons or control characters', () => {
    for (const name of ['a/b.png', 'a\\b.png', 'a"b.png', 'a\nb.png', 'a:b.png', '\u202egnp.exe']) {
      assert.ok(!FILE_NAME_PATTERN.test(name), name);
    }
    assert.ok(FILE_NAME_PATTERN.test('Größe (1) ★.png'));
  });

  it('is sent in ASCII and, if it has other characters, in UTF-8', () => {
    assert.equal(contentDisposition('a b.png'), 'attachment; filename="a b.png"');
    assert.equal(contentDisposition('é(1).png'), `attachment; filename="_(1).png"; filename*=UTF-8''%C3%A9%281%29.png`);
  });
});
