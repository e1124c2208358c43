import assert from 'node:assert/strict';
import { it } from 'node:test';
import { logoUrl, MAX_LOGO_BYTES, readLogo } from '#organizations/domain/logo.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const WEBP = Buffer.from('RIFF\x00\x01\x02\x03WEBPVP8 ', 'latin1');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

const url = (type: string, bytes: Buffer | string) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

const PICTURES = [
  url('image/png', PNG),
  url('image/webp', WEBP),
  url('image/svg+xml', SVG),
  url('image/svg+xml', `\uFEFF<?xml version="1.0"?>\n<!-- made by hand --><!DOCTYPE svg>\n${SVG}`),
];

for (const picture of PICTURES) {
  it(`readLogo: accepts ${picture.slice(0, 40)}… and returns the same URL`, () => {
    const logo = readLogo(picture);
    assert.ok(typeof logo !== 'string', 'the logo is accepted');
    assert.equal(logoUrl(logo), picture);
  });
}

const REFUSED = [
  ['https://shop.example/logo.png', /data: URL/],
  [url('image/gif', 'GIF89a'), /data: URL/],
  ['data:image/png,abc', /data: URL/],
  ['data:image/png;base64,', /data: URL/],
  [url('image/png', SVG), /does not match/],
  [url('image/webp', PNG), /does not match/],
  [url('image/svg+xml', '<html><svg/></html>'), /does not match/],
  [url('image/svg+xml', '<svgx/>'), /does not match/],
  [url('image/png', Buffer.concat([PNG, Buffer.alloc(MAX_LOGO_BYTES)])), /at most 65536 bytes/],
] as const;

for (const [picture, why] of REFUSED) {
  it(`readLogo: refuses ${picture.slice(0, 40)}…`, () => assert.match(readLogo(picture) as string, why));
}

it('readLogo: reads a file of many comments without exponential backtracking', () => {
  const comments = '<!---->'.repeat(Math.floor(MAX_LOGO_BYTES / 7) - 1);
  assert.match(readLogo(url('image/svg+xml', comments)) as string, /does not match/);
  assert.notEqual(typeof readLogo(url('image/svg+xml', comments.slice(0, -70) + SVG)), 'string');
});

it('readLogo: accepts a picture of up to 64 KiB', () => {
  const largest = Buffer.concat([PNG, Buffer.alloc(MAX_LOGO_BYTES - PNG.length)]);
  assert.notEqual(typeof readLogo(url('image/png', largest)), 'string');
});
