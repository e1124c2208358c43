import assert from 'node:assert/strict';
import { it } from 'node:test';
import { networkOf } from '#platform/http/rate-limits.ts';
import { isFraudSignal, signUpNetwork } from '#portal/domain/sign-up-network.ts';

const NETWORKS = [
  ['203.0.113.77', '203.0.113.0/24'],
  ['203.0.113.1', '203.0.113.0/24'],
  ['203.0.114.1', '203.0.114.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0::/48'],
  ['2001:db8:1:ffff::9', '2001:db8:1:0::/48'],
  ['2001:db8:2::1', '2001:db8:2:0::/48'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
] as const;

for (const [address, network] of NETWORKS) {
  it(`signUpNetwork: the network of ${address} is ${network}`, () => {
    assert.equal(signUpNetwork(networkOf(address)), network);
  });
}

for (const address of [
  '127.0.0.1',
  '::1',
  '10.1.2.3',
  '192.168.0.9',
  '100.64.0.1',
  '169.254.1.1',
  'fd00::1',
  'fe80::1',
])
  it(`signUpNetwork: ${address} is in no network on the internet`, () => {
    assert.equal(signUpNetwork(networkOf(address)), undefined);
  });

it('signUpNetwork: an invalid address has no network', () => {
  assert.equal(signUpNetwork(networkOf('somewhere')), undefined);
});

it('isFraudSignal: the limit itself is a fraud signal, and null turns the fraud signal off', () => {
  assert.deepEqual(
    [isFraudSignal(2, 3), isFraudSignal(3, 3), isFraudSignal(4, 3), isFraudSignal(100, null)],
    [false, true, true, false],
  );
});
