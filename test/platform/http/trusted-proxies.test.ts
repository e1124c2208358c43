import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { MAX_PROXIES, trustedProxies } from '#platform/http/trusted-proxies.ts';

describe('TRUSTED_PROXIES', () => {
  it('trusts the listed addresses, ranges and names, including IPv4-mapped IPv6', () => {
    const isTrusted = trustedProxies(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', 'loopback']);
    for (const address of ['192.0.2.1', '10.1.2.3', '::ffff:10.1.2.3', '2001:db8:1::1', '127.0.0.1', '::1'])
      assert.equal(isTrusted(address, 0), true, address);
    for (const address of ['192.0.2.2', '11.0.0.1', '2001:db9::1', '169.254.1.1', 'unknown', '', undefined])
      assert.equal(isTrusted(address, 0), false, address);
  });

  it(`examines at most ${MAX_PROXIES} addresses of a header`, async () => {
    const isTrusted = trustedProxies(['127.0.0.1', '10.0.0.0/8']);
    let looks = 0;
    const app = Fastify({
      trustProxy: (address, hop) => {
        looks += 1;
        return isTrusted(address, hop);
      },
    });
    app.get('/', (request) => request.ip);
    const addresses = Array.from({ length: 1_500 }, (_, n) => `10.0.${n % 256}.1`);
    const { body } = await app.inject({ url: '/', headers: { 'x-forwarded-for': addresses.join(', ') } });
    assert.equal(looks, MAX_PROXIES + 1);
    assert.equal(body, addresses.at(-MAX_PROXIES));
    await app.close();
  });
});
