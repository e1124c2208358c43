import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OrganizationId } from '#core/ids.ts';
import { CUSTOM_DOMAIN_PATTERN, customDomains } from '#organizations/domain/custom-domains.ts';

it('customDomains: allows a listed domain to all or to the listed organizations, and never allows the host of the service', () => {
  const listed = ['GO.shop.example', 'go.other.example=2', 'go.two.example=1', 'go.two.example=22', 'whence.example'];
  const domains = customDomains(listed, 'whence.example');
  const allowedTo = (domain: string): number[] =>
    [1, 2, 22].filter((id) => domains.isAllowed(domain, id as OrganizationId));
  assert.deepEqual(
    ['go.shop.example', 'go.other.example', 'go.two.example', 'whence.example', 'shop.example', ''].map((domain) => [
      domains.has(domain),
      allowedTo(domain),
    ]),
    [
      [true, [1, 2, 22]],
      [true, [2]],
      [true, [1, 22]],
      [false, []],
      [false, []],
      [false, []],
    ],
  );
});

it('an entry of CUSTOM_DOMAINS is a domain, or a domain with an organization id', () => {
  for (const entry of ['go.shop.example', 'GO.Shop.Example=12', 'a-b.xn--p1ai'])
    assert.match(entry, CUSTOM_DOMAIN_PATTERN);
  for (const entry of [
    '',
    'localhost',
    '10.0.0.1',
    'https://go.shop.example',
    'go.shop.example:80',
    'go.example=',
    'a.b=0',
  ])
    assert.doesNotMatch(entry, CUSTOM_DOMAIN_PATTERN);
});
