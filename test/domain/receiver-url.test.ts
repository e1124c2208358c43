import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostOf, isPublicAddress, refusalOfReceiver } from '#domain/receiver-url.ts';

describe('the URL of a webhook', () => {
  const PRIVATE = 'must not lead to a private address';
  const UNREACHABLE = 'must name a host that everybody can reach';
  const cases: readonly (readonly [url: string, refusal: string | undefined, privately?: string])[] = [
    ['https://shop.example/webhooks?a=b', undefined],
    ['https://shop.example:8443/', undefined],
    ['https://shop.example:443/', undefined],
    ['https://93.184.215.14/', undefined],
    ['https://[2606:4700::1111]/', undefined],
    ['shop.example', 'must be a URL such as https://shop.example/webhooks', 'the same'],
    ['https://shop.example/\r\nX: y', 'must be a URL such as https://shop.example/webhooks', 'the same'],
    ['ftp://shop.example/', 'must begin with https://', 'the same'],
    ['file:///etc/passwd', 'must begin with https://', 'the same'],
    ['https://user@shop.example/', 'must not hold a user name or a password', 'the same'],
    ['https://:secret@shop.example/', 'must not hold a user name or a password', 'the same'],
    ['http://shop.example/', 'must begin with https://'],
    ['https://shop.example:25/', 'must use port 443 or one from 1024 to 65535'],
    ['https://localhost/', UNREACHABLE],
    ['https://localhost./', UNREACHABLE],
    ['https://intranet/', UNREACHABLE],
    ['https://api.localhost/', UNREACHABLE],
    ['https://printer.local/', UNREACHABLE],
    ['https://db.INTERNAL/', UNREACHABLE],
    ['https://nas.home.arpa./', UNREACHABLE],
    ['https://127.0.0.1/', PRIVATE],
    ['https://127.0.0.1./', PRIVATE],
    ['https://127.0.0.1../', PRIVATE],
    ['https://api.localhost../', UNREACHABLE],
    ['https://2130706433/', PRIVATE],
    ['https://0x7f.1/', PRIVATE],
    ['https://0177.0.0.1/', PRIVATE],
    ['https://①②⑦.0.0.1/', PRIVATE],
    ['https://10.0.0.8:8443/', PRIVATE],
    ['https://169.254.169.254/latest/meta-data', PRIVATE],
    ['https://[::1]/', PRIVATE],
    ['https://[::ffff:127.0.0.1]/', PRIVATE],
    ['https://[fd00::1]/', PRIVATE],
  ];
  for (const [url, refusal, privately] of cases) {
    it(`${JSON.stringify(url)} ${refusal ?? 'is taken'}`, () => {
      assert.equal(refusalOfReceiver(url, false), refusal);
      assert.equal(refusalOfReceiver(url, true), privately === undefined ? undefined : refusal);
    });
  }

  it('has a host without brackets and without the dot at its end', () => {
    assert.equal(hostOf('https://[::1]:8080/a'), '::1');
    assert.equal(hostOf('https://Shop.Example./a'), 'shop.example');
  });
});

describe('an address', () => {
  const isPublic = [
    '8.8.8.8',
    '93.184.215.14',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8', // how a network of IPv6 alone shows 8.8.8.8
  ];
  const isNot = [
    '',
    'shop.example',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1', // shared by a carrier's customers; cloud networks too
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254', // what a cloud tells its machines
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1', // 127.0.0.1 as it was once written
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8', // a network's own
    '100::1',
    '2001::1', // Teredo
    '2001:db8::1',
    '2002:7f00:1::', // 6to4 of 127.0.0.1
    '2002:808:808::', // a tunnel, wherever it leads
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ];
  for (const address of isPublic) {
    it(`${address} is of the public internet`, () => {
      assert.equal(isPublicAddress(address), true);
    });
  }
  for (const address of isNot) {
    it(`${address || 'nothing'} is not`, () => {
      assert.equal(isPublicAddress(address), false);
    });
  }
});
