import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FraudListEntryId } from '#core/ids.ts';
import {
  type FraudListEntry,
  type FraudListKind,
  hostOfReferrer,
  includesHost,
  readHostPattern,
  readListValue,
  visitListsOf,
} from '#programs/domain/fraud-list.ts';

describe('readListValue: the value of a fraud list entry', () => {
  const cases: readonly [FraudListKind, string, string | undefined][] = [
    ['email-domain', 'Mail.Example', 'mail.example'],
    ['email-domain', 'localhost', undefined],
    ['email-domain', 'ada@mail.example', undefined],
    ['email-domain', '203.0.113.7', undefined],
    ['email-domain', `${'a'.repeat(64)}.example`, undefined],
    ['email-domain', `${'a.'.repeat(127)}example`, undefined],
    ['referrer', 'WWW.Coupons.Example', 'coupons.example'],
    ['referrer', 'www.example', 'www.example'],
    ['referrer', '*.coupons.example', '*.coupons.example'],
    ['referrer', 'coupons.*', 'coupons.*'],
    ['referrer', 'www.coupons.*', undefined],
    ['referrer', 'https://coupons.example/', undefined],
    ['referrer', '*', undefined],
    ['network', '203.0.113.77/24', '203.0.113.0/24'],
    ['network', '203.0.113.77', '203.0.113.77/32'],
    ['network', '203.0.113.0/7', undefined],
    ['network', '203.0.113.0/33', undefined],
    ['network', '203.0.113.0/x', undefined],
    ['network', '203.0.113.0/24/8', undefined],
    ['network', '203.0.113', undefined],
    ['network', '2001:DB8:1:2:3::9', '2001:db8:1:2::/64'],
    ['network', '2001:db8:ffff::/33', '2001:db8:8000:0::/33'],
    ['network', '::1', '0:0:0:0::/64'],
    ['network', '2001:db8::/65', undefined],
    ['network', '::ffff:203.0.113.7', undefined],
    ['network', 'fe80::1%eth0', undefined],
  ];
  for (const [kind, text, value] of cases) {
    it(
      value === undefined
        ? `refuses the ${kind} “${text.slice(0, 40)}”`
        : `stores the ${kind} “${text.slice(0, 40)}” as ${value}`,
      () => assert.equal(readListValue(kind, text), value),
    );
  }
});

describe('includesHost: a host pattern', () => {
  const cases: readonly [pattern: string, host: string, expected: boolean][] = [
    ['google.*', 'www.google.com', true],
    ['google.*', 'google.co.uk', true],
    ['google.*', 'mail.google.com', false],
    ['google.*', 'google.com.evil.example', false],
    ['bing.com', 'www.bing.com', true],
    ['bing.com', 'notbing.com', false],
    ['*.coupons.example', 'coupons.example', true],
    ['*.coupons.example', 'a.b.coupons.example', true],
    ['*.coupons.example', 'mycoupons.example', false],
  ];
  for (const [pattern, host, expected] of cases) {
    it(`${pattern} ${expected ? 'includes' : 'does not include'} ${host}`, () =>
      assert.equal(includesHost(new Set([readHostPattern(pattern) ?? '']), host), expected));
  }
});

it('hostOfReferrer: returns the domain of a web address in lower case, and null if there is no web address or no domain', () => {
  assert.equal(hostOfReferrer('https://WWW.Google.com/search?q=x'), 'www.google.com');
  for (const text of ['', 'google.com', 'android-app://com.google.android.gm/', 'http://203.0.113.7/', 'http://local/'])
    assert.equal(hostOfReferrer(text), null, text);
});

describe('visitListsOf: the fraud list entries that apply to visits', () => {
  let ids = 0;
  const entry = (list: FraudListEntry['list'], kind: FraudListKind, text: string): FraudListEntry => ({
    id: (ids += 1) as FraudListEntryId,
    list,
    kind,
    value: readListValue(kind, text) as string,
  });

  it('returns null if no entry is about visits', () => {
    assert.equal(visitListsOf([]), null);
    assert.equal(visitListsOf([entry('deny', 'email-domain', 'mail.example')]), null);
  });

  it('finds the entry of the deny list by network, then by referrer', () => {
    const narrow = entry('deny', 'network', '203.0.113.0/24');
    const wide = entry('deny', 'network', '2001:db8::/32');
    const host = entry('deny', 'referrer', '*.coupons.example');
    const lists = visitListsOf([narrow, wide, host]);
    assert.equal(lists?.needsNetwork, true);
    assert.equal(lists?.deniedBy('203.0.113.77', null), narrow.id);
    assert.equal(lists?.deniedBy('203.0.114.1', null), null);
    assert.equal(lists?.deniedBy('2001:db8:7:8', null), wide.id);
    assert.equal(lists?.deniedBy('unknown', 'm.coupons.example'), host.id);
    assert.equal(lists?.deniedBy('203.0.113.1', 'coupons.example'), narrow.id);
    assert.equal(lists?.deniedBy(null, null), null);
    assert.deepEqual([lists?.allowsNetwork('203.0.113.77'), lists?.allowsReferrer('coupons.example')], [false, false]);
  });

  it('allows only the networks and referrers of the allow list, and needs no network if all entries are referrers', () => {
    const allowed = visitListsOf([entry('allow', 'network', '198.51.100.9'), entry('allow', 'referrer', 'bing.com')]);
    assert.deepEqual([allowed?.allowsNetwork('198.51.100.9'), allowed?.allowsNetwork('198.51.100.8')], [true, false]);
    assert.deepEqual([allowed?.allowsReferrer('www.bing.com'), allowed?.allowsReferrer('google.com')], [true, false]);
    assert.equal(allowed?.deniedBy('198.51.100.9', 'bing.com'), null);
    assert.equal(visitListsOf([entry('deny', 'referrer', 'bing.com')])?.needsNetwork, false);
  });
});
