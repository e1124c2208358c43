import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maskedDetails } from '#domain/payout-details.ts';

const ACCOUNTS = [
  ['DE89 3704 0044 0532 0130 00', '••••3000'],
  ['12345678', '••••5678'],
  ['1234567', '••••'],
  ['ada@example.com', 'a••••@example.com'],
  ['@ada-lovelace', '••••lace'],
] as const;

for (const [account, shown] of ACCOUNTS) {
  it(`${account} is shown as ${shown}`, () => {
    const details = { method: 'other', holder: 'Ada', account } as const;
    assert.deepEqual(maskedDetails(details), { method: 'other', holder: 'Ada', account: shown });
  });
}
