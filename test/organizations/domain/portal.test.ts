import assert from 'node:assert/strict';
import { it } from 'node:test';
import { COLLABORATOR_STATUSES, endsPortalSessions, canEnterPortal } from '#collaborators/domain/collaborator.ts';
import {
  ACCENT_PATTERN,
  faultOfPortal,
  partnerSiteUrl,
  PORTAL_SLUG_PATTERN,
  portalUrl,
  servicePortalUrl,
} from '#organizations/domain/portal.ts';

it('portalUrl: is the root of the portal’s own domain, or else the portal’s slug below the public URL', () => {
  const publicUrl = 'https://whence.example:8443/base';
  const [below, above] = ['https://whence.example:8443/base/portal/mugs/', 'https://partners.mugs.example:8443/'];
  assert.equal(portalUrl(publicUrl, { slug: 'mugs', portalDomain: null }), below);
  assert.equal(portalUrl(publicUrl, { slug: 'mugs', portalDomain: 'partners.mugs.example' }), above);
  assert.equal(servicePortalUrl(publicUrl, 'mugs'), below);
});

it('partnerSiteUrl: is the public URL, with the portal’s own domain as its host if there is one', () => {
  assert.equal(partnerSiteUrl('https://whence.example/base', null), 'https://whence.example/base');
  assert.equal(partnerSiteUrl('https://whence.example/base', 'p.mugs.example'), 'https://p.mugs.example/base');
  assert.equal(partnerSiteUrl('https://whence.example', 'p.mugs.example'), 'https://p.mugs.example');
});

it('faultOfPortal: an open portal needs a landing URL and a slug that isn’t reserved', () => {
  const landingUrl = 'https://shop.example/';
  const faultOf = (portal: object) =>
    faultOfPortal({ slug: null, landingUrl: null, linkDomain: null, portalDomain: null, ...portal }, () => false)
      ?.field;
  assert.equal(faultOf({}), undefined);
  assert.equal(faultOf({ slug: 'mugs', landingUrl }), undefined);
  assert.equal(faultOf({ slug: 'mugs' }), 'landingUrl');
  assert.equal(faultOf({ slug: 'assets', landingUrl }), 'slug');
});

it('faultOfPortal: short links need a landing URL and a domain that the operator allows', () => {
  const portal = { slug: null, landingUrl: 'https://shop.example/', linkDomain: 'go.shop.example', portalDomain: null };
  const isAllowed = (domain: string) => domain === 'go.shop.example';
  assert.equal(faultOfPortal(portal, isAllowed), undefined);
  assert.equal(faultOfPortal({ ...portal, landingUrl: null }, isAllowed)?.field, 'landingUrl');
  assert.equal(faultOfPortal({ ...portal, linkDomain: 'go.other.example' }, isAllowed)?.field, 'linkDomain');
});

it('faultOfPortal: the operator must allow the portal’s own domain, which must differ from the domain of short links', () => {
  const domains = new Set(['go.shop.example', 'partners.shop.example']);
  const isAllowed = (domain: string) => domains.has(domain);
  const portal = { slug: null, landingUrl: 'https://shop.example/', linkDomain: 'go.shop.example' };
  assert.equal(faultOfPortal({ ...portal, portalDomain: 'partners.shop.example' }, isAllowed), undefined);
  assert.equal(faultOfPortal({ ...portal, portalDomain: 'go.shop.example' }, isAllowed)?.field, 'portalDomain');
  assert.equal(faultOfPortal({ ...portal, portalDomain: 'other.example' }, isAllowed)?.field, 'portalDomain');
});

it('a portal slug is a valid host name label', () => {
  for (const slug of ['a', 'mugs', 'adas-mugs', '4you', 'a'.repeat(63)]) assert.match(slug, PORTAL_SLUG_PATTERN);
  for (const slug of ['', '-a', 'a-', 'Mugs', 'a.b', 'a/b', 'ä', 'a'.repeat(64)]) {
    assert.doesNotMatch(slug, PORTAL_SLUG_PATTERN);
  }
});

it('an accent color has six hexadecimal digits', () => {
  assert.match('#4F46e5', ACCENT_PATTERN);
  for (const color of ['#fff', 'red', '#4f46e5;', '#4f46eg']) assert.doesNotMatch(color, ACCENT_PATTERN);
});

it('canEnterPortal: only active and pending collaborators can log in', () => {
  assert.deepEqual(COLLABORATOR_STATUSES.filter(canEnterPortal), ['pending', 'active']);
});

it('endsPortalSessions: a deactivation, deletion, rejection or reactivation ends sessions, but an approval doesn’t', () => {
  for (const to of ['inactive', 'deleted'] as const) assert.equal(endsPortalSessions('active', to), true, to);
  assert.equal(endsPortalSessions('pending', 'rejected'), true);
  assert.equal(endsPortalSessions('inactive', 'active'), true);
  assert.equal(endsPortalSessions('pending', 'active'), false);
  for (const status of COLLABORATOR_STATUSES) assert.equal(endsPortalSessions(status, status), false, status);
});
