import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readShortPath, shortLinkOf, shortLinkTarget, withoutTracking } from '#portal/domain/short-link.ts';

it('readShortPath: reads a path as a code, or as a code with a sub-id', () => {
  const codes = [
    ['/ada', 'ada'],
    ['/ada/', 'ada'],
    ['/ada/newsletter', 'ada.newsletter'],
    ['/ada.newsletter', 'ada.newsletter'],
    ['/J%C3%BCrgen', 'Jürgen'],
    ['/a%2Fb', 'a/b'],
    [`/${'a'.repeat(255)}`, 'a'.repeat(255)],
  ] as const;
  for (const [path, code] of codes) assert.deepEqual(readShortPath(path), { kind: 'code', code }, path);
  assert.deepEqual(readShortPath('/'), { kind: 'home' });
});

it('readShortPath: finds no code in a reserved, malformed or too long path', () => {
  const hostile = ['/a%00b', '/%00', '/a/%0Ab', '/%C2%85'];
  const paths = ['/favicon.ico', '/robots.txt', '/.well-known/acme', '/a/b/c', '/%E0%A4%A', `/${'a'.repeat(256)}`];
  for (const path of [...paths, ...hostile]) assert.deepEqual(readShortPath(path), { kind: 'none' }, path);
});

it('shortLinkOf: a link has the scheme and port of the service, and the code’s parts as path segments', () => {
  const at = (publicUrl: string, code: string, main: string | null) =>
    shortLinkOf(publicUrl, 'go.shop.example', code, main);
  assert.equal(at('https://whence.example/base', 'ada', null), 'https://go.shop.example/ada');
  assert.equal(at('https://whence.example', 'ada.news', 'ada'), 'https://go.shop.example/ada/news');
  assert.equal(at('http://localhost:8080', 'a/b', null), 'http://go.shop.example:8080/a%2Fb');
});

it('readShortPath: reads the code of a link that shortLinkOf returned', () => {
  for (const [code, main] of [
    ['ada', null],
    ['ada.news', 'ada'],
    ['a/b ä?#.x', 'a/b ä?#'],
    ['a.b', null],
  ] as const) {
    const { pathname } = new URL(shortLinkOf('https://whence.example', 'go.shop.example', code, main));
    assert.deepEqual(readShortPath(pathname), { kind: 'code', code });
  }
});

it('shortLinkTarget: adds the request’s parameters to the landing page, unless the landing page or the link sets them', () => {
  const domain = { landingUrl: 'https://shop.example/mugs?color=blue', refParameter: 'ref' };
  const target = (query: string, code?: string, visit?: { trackingId: number; key: string }) =>
    shortLinkTarget(domain, new URLSearchParams(query), code, visit);
  assert.equal(target(''), 'https://shop.example/mugs?color=blue');
  assert.equal(target('utm_source=x', 'ada'), 'https://shop.example/mugs?color=blue&utm_source=x&ref=ada');
  assert.equal(
    target('ref=bob&trackingId=1&whence_visit=k&color=red', 'ada', { trackingId: 7, key: 'abc' }),
    'https://shop.example/mugs?color=blue&trackingId=7&whence_visit=abc&ref=ada',
  );
});

it('shortLinkTarget: passes 7,400 parameters to a page with a query in less than 100 ms', () => {
  const domain = { landingUrl: 'https://shop.example/?utm_source=partners', refParameter: 'ref' };
  const query = new URLSearchParams('a&'.repeat(7_400));
  const started = process.cpuUsage();
  const target = shortLinkTarget(domain, query, 'ada');
  const { user, system } = process.cpuUsage(started);
  assert.equal(new URL(target).searchParams.size, 7_402);
  assert.ok(
    user + system < 100_000,
    `It took ${(user + system) / 1_000} ms of processor time, instead of about 15 ms.`,
  );
});

it('withoutTracking: removes the parameters of short links from the URL of a page', () => {
  assert.equal(
    withoutTracking('https://shop.example/a?b=1&trackingId=7&whence_visit=k#c'),
    'https://shop.example/a?b=1#c',
  );
});
