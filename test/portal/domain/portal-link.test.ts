import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_ALIAS_CODE } from '#collaborators/domain/alias.ts';
import {
  allowedOrigins,
  codeOfName,
  codeWithSubId,
  linkOf,
  nextCode,
  pageOf,
  SUB_ID_PATTERN,
  subIdOf,
  REQUESTED_CODE_PATTERN,
} from '#portal/domain/portal-link.ts';

const LINKS = [
  ['https://shop.example/', 'ref', 'ada', 'https://shop.example/?ref=ada'],
  ['https://shop.example/sale?utm=1#top', 'via', 'ada.blog', 'https://shop.example/sale?utm=1&via=ada.blog#top'],
  ['https://shop.example/?ref=other', 'ref', 'a&b', 'https://shop.example/?ref=a%26b'],
] as const;

for (const [landing, parameter, code, link] of LINKS) {
  it(`linkOf: ${code} turns ${landing} into ${link}`, () => assert.equal(linkOf(landing, parameter, code), link));
}

it('codeWithSubId: appends the sub-id after a dot, unless the code would be too long', () => {
  assert.equal(codeWithSubId('ada', 'blog'), 'ada.blog');
  assert.equal(codeWithSubId('a'.repeat(MAX_ALIAS_CODE - 2), 'b'), `${'a'.repeat(MAX_ALIAS_CODE - 2)}.b`);
  assert.equal(codeWithSubId('a'.repeat(MAX_ALIAS_CODE - 1), 'b'), undefined);
});

const SUB_IDS = [
  ['ada', null, undefined],
  ['Ada.blog', 'ada', 'blog'],
  ['ada.blog.june', 'ada', 'blog.june'],
  ['mr.smith', null, undefined],
] as const;

for (const [code, mainCode, subId] of SUB_IDS) {
  it(`subIdOf: the sub-id of ${code} with the main code ${mainCode ?? 'none'} is ${subId ?? 'none'}`, () =>
    assert.equal(subIdOf(code, mainCode), subId));
}

const NAMES = [
  ['Ada Lovelace', 'ada-lovelace'],
  ['  Zoë  Müller-Ørsted ', 'zoe-muller-rsted'],
  ['李雷', 'partner'],
  ['', 'partner'],
  [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
  ['a'.repeat(300), 'a'.repeat(40)],
] as const;

for (const [name, code] of NAMES) {
  it(`codeOfName: the referral code for the name “${name.slice(0, 20)}” is ${code}`, () => {
    assert.equal(codeOfName(name), code);
    assert.match(code, REQUESTED_CODE_PATTERN);
  });
}

it('nextCode: appends a number to a referral code that is taken', () => {
  assert.deepEqual(
    [0, 1, 2].map((tries) => nextCode('ada', tries)),
    ['ada', 'ada-2', 'ada-3'],
  );
});

it('sub-ids and requested referral codes start with a letter or a digit, and contain no dot or space', () => {
  for (const pattern of [SUB_ID_PATTERN, REQUESTED_CODE_PATTERN]) {
    assert.match('News_2026-06', pattern);
    for (const text of ['a.b', '', '-a', 'a b', 'a'.repeat(65)]) assert.doesNotMatch(text, pattern);
  }
});

it('allowedOrigins: returns the origins of the landing page, if there is one, and of the other sites, each once', () => {
  const sites = ['https://blog.example', 'https://mugs.example'];
  assert.deepEqual(allowedOrigins(null, sites), sites);
  assert.deepEqual(allowedOrigins('https://mugs.example/start', sites), [
    'https://mugs.example',
    'https://blog.example',
  ]);
});

it('pageOf: a link opens its page on an allowed site, and otherwise the landing page', () => {
  const sites = { landingUrl: 'https://shop.example/start', linkOrigins: ['https://blog.example'] };
  const pages = [
    [null, sites.landingUrl],
    ['https://shop.example/a', 'https://shop.example/a'],
    ['https://blog.example/b', 'https://blog.example/b'],
    ['https://evil.example/c', sites.landingUrl],
    ['http://shop.example/a', sites.landingUrl],
  ] as const;
  for (const [page, opened] of pages) assert.equal(pageOf(sites, page), opened);
});
