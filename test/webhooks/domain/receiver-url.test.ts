import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostOf, isPlatformAddress, isPublicAddress, refusalOfReceiver } from '#webhooks/domain/receiver-url.ts';

describe('the URL of a webhook', () => {
  const PRIVATE = 'must not resolve to a private address';
  const PLATFORM = 'must not resolve to a metadata or platform address of a cloud';
  const UNREACHABLE = 'must name a public host';
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
    ['https://user@shop.example/', 'must not contain a user name or a password', 'the same'],
    ['https://:secret@shop.example/', 'must not contain a user name or a password', 'the same'],
    ['http://shop.example/', 'must begin with https://'],
    ['https://shop.example:25/', 'must use port 443 or a port from 1024 to 65535'],
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
    ['https://169.254.169.254/latest/meta-data', PLATFORM, 'the same'],
    ['https://169.254.170.2/v2/credentials', PLATFORM, 'the same'],
    ['https://168.63.129.16/machine', PLATFORM, 'the same'],
    ['https://2822734096/machine', PLATFORM, 'the same'],
    ['https://[::ffff:168.63.129.16]/', PLATFORM, 'the same'],
    ['https://100.100.100.200/latest/meta-data', PLATFORM, 'the same'],
    ['https://[fd00:ec2::254]/', PLATFORM, 'the same'],
    ['https://[64:ff9b::a9fe:a9fe]/', PLATFORM, 'the same'],
    ['https://Metadata.Google.Internal./', PLATFORM, 'the same'],
    ['https://metadata/', PLATFORM, 'the same'],
    ['https://metadata.tencentyun.com/', PLATFORM, 'the same'],
    ['https://[::1]/', PRIVATE],
    ['https://[::ffff:127.0.0.1]/', PRIVATE],
    ['https://[fd00::1]/', PRIVATE],
  ];
  for (const [url, refusal, privately] of cases) {
    const exception = refusal === undefined || privately !== undefined ? '' : ' unless private addresses are allowed';
    it(`${JSON.stringify(url)} ${refusal ?? 'is accepted'}${exception}`, () => {
      assert.equal(refusalOfReceiver(url, false), refusal);
      assert.equal(refusalOfReceiver(url, true), privately === undefined ? undefined : refusal);
    });
  }

  it('hostOf: returns the host without brackets and without a trailing dot', () => {
    assert.equal(hostOf('https://[::1]:8080/a'), '::1');
    assert.equal(hostOf('https://Shop.Example./a'), 'shop.example');
  });
});

describe('isPublicAddress: the address of a webhook receiver', () => {
  const isPublic = [
    '8.8.8.8',
    '93.184.215.14',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8', // 8.8.8.8 as seen in an IPv6-only network
  ];
  const isNot = [
    '',
    'shop.example',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1', // carrier-grade NAT, which is also used in cloud networks
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16', // Azure's platform, at a public address
    '169.254.169.254', // the metadata address of clouds
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
    '::7f00:1', // obsolete notation of 127.0.0.1
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8', // the local-use NAT64 prefix
    '100::1',
    '2001::1', // Teredo
    '2001:db8::1',
    '2002:7f00:1::', // 6to4 of 127.0.0.1
    '2002:808:808::', // a 6to4 tunnel, to any destination
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
    it(`${address} is a public address`, () => {
      assert.equal(isPublicAddress(address), true);
    });
  }
  for (const address of isNot) {
    it(`${address || 'an empty string'} is not a public address`, () => {
      assert.equal(isPublicAddress(address), false);
    });
  }
});

it('isPlatformAddress: is true only for the addresses of cloud platforms', () => {
  for (const address of ['168.63.129.16', '169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '::ffff:a83f:8110'])
    assert.equal(isPlatformAddress(address), true, address);
  for (const address of [
    '',
    'shop.example',
    '127.0.0.1',
    '10.0.0.1',
    '168.63.129.17',
    '100.100.100.201',
    'fd00::1',
    '2606:4700::1',
  ])
    assert.equal(isPlatformAddress(address), false, address);
});
