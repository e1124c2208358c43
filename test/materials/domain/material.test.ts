import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  faultOfFields,
  fillText,
  hasTooManyPlaceholders,
  kindOf,
  MAX_PLACEHOLDERS,
} from '#materials/domain/material.ts';

/** Returns the names of the parts that a material has, such as `a file and a page`. */
function partsOf(parts: Readonly<Record<string, boolean>>): string {
  const names = Object.keys(parts).filter((name) => parts[name]);
  return names.map((name) => `a ${name}`).join(' and ') || 'nothing';
}

describe('the kind of a material', () => {
  const kinds: readonly [hasFile: boolean, hasText: boolean, hasPage: boolean, kind: string | undefined][] = [
    [true, false, false, 'file'],
    [true, false, true, 'file'],
    [false, true, false, 'text'],
    [false, true, true, 'text'],
    [false, false, true, 'link'],
    [false, false, false, undefined],
    [true, true, false, undefined],
  ];
  for (const [hasFile, hasText, hasPage, kind] of kinds) {
    it(`is ${kind ?? 'undefined'} for ${partsOf({ file: hasFile, text: hasText, page: hasPage })}`, () => {
      assert.equal(kindOf({ hasFile, hasText, hasPage }), kind);
    });
  }

  it('faultOfFields: files and links can’t get a text, and a link can’t lose its page', () => {
    const page = 'https://mugs.example/';
    assert.equal(faultOfFields('link', { text: null, pageUrl: null })?.field, 'pageUrl');
    assert.equal(faultOfFields('link', { text: 'x', pageUrl: page })?.field, 'text');
    assert.equal(faultOfFields('file', { text: 'x', pageUrl: null })?.field, 'text');
    assert.equal(faultOfFields('text', { text: 'x', pageUrl: null }), undefined);
    assert.equal(faultOfFields('link', { text: null, pageUrl: page }), undefined);
  });
});

describe('the text of a material', () => {
  it('contains the partner’s link in each placeholder, even if the link has a dollar sign', () => {
    assert.equal(
      fillText('{link} or {link}', 'https://a.example/?x=$&'),
      'https://a.example/?x=$& or https://a.example/?x=$&',
    );
    assert.equal(fillText('Go: {link}', null), 'Go: {link}');
  });

  it('hasTooManyPlaceholders: a text can have ten placeholders', () => {
    assert.equal(hasTooManyPlaceholders('{link}'.repeat(MAX_PLACEHOLDERS)), false);
    assert.equal(hasTooManyPlaceholders('{link}'.repeat(MAX_PLACEHOLDERS + 1)), true);
  });
});
