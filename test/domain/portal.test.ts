import assert from 'node:assert/strict';
import { it } from 'node:test';
import { COLLABORATOR_STATUSES } from '#domain/collaborator.ts';
import { ACCENT_PATTERN, faultOfPortal, mayEnterPortal, PORTAL_SLUG_PATTERN, portalUrl } from '#domain/portal.ts';

it('a portal is below the address of the service, under its slug', () => {
  assert.equal(portalUrl('https://whence.example/base', 'mugs'), 'https://whence.example/base/portal/mugs/');
});

it('a portal is open where it has a slug, and then it knows where links lead', () => {
  const landingUrl = 'https://shop.example/';
  assert.equal(faultOfPortal({ slug: null, landingUrl: null }), undefined);
  assert.equal(faultOfPortal({ slug: 'mugs', landingUrl }), undefined);
  assert.equal(faultOfPortal({ slug: 'mugs', landingUrl: null })?.field, 'landingUrl');
  assert.equal(faultOfPortal({ slug: 'assets', landingUrl })?.field, 'slug');
});

it('a slug is a label as of a host’s name', () => {
  for (const slug of ['a', 'mugs', 'adas-mugs', '4you', 'a'.repeat(63)]) assert.match(slug, PORTAL_SLUG_PATTERN);
  for (const slug of ['', '-a', 'a-', 'Mugs', 'a.b', 'a/b', 'ä', 'a'.repeat(64)]) {
    assert.doesNotMatch(slug, PORTAL_SLUG_PATTERN);
  }
});

it('an accent is six hexadecimal digits', () => {
  assert.match('#4F46e5', ACCENT_PATTERN);
  for (const colour of ['#fff', 'red', '#4f46e5;', '#4f46eg']) assert.doesNotMatch(colour, ACCENT_PATTERN);
});

it('who is active comes in, and who waits, to see that they wait', () => {
  assert.deepEqual(COLLABORATOR_STATUSES.filter(mayEnterPortal), ['pending', 'active']);
});
