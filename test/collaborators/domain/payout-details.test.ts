import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maskedDetails, unmaskedDetails } from '#collaborators/domain/payout-details.ts';

const ACCOUNTS = [
  ['DE89 3704 0044 0532 0130 00', '••••3000'],
  ['12345678', '••••5678'],
  ['1234567', '••••'],
  ['ada@example.com', 'a••••@example.com'],
  ['@ada-lovelace', '••••lace'],
] as const;

for (const [account, shown] of ACCOUNTS) {
  it(`maskedDetails: ${account} is shown as ${shown}`, () => {
    const details = { method: 'other', holder: 'Ada', account } as const;
    assert.deepEqual(maskedDetails(details), { method: 'other', holder: 'Ada', account: shown });
  });
}

it('unmaskedDetails: a masked account is replaced by the stored account, even with another holder', () => {
  const before = { method: 'bank', holder: 'Ada', account: 'DE89 3704 0044 0532 0130 00' } as const;
  const renamed = { ...maskedDetails(before), holder: 'Ada King' };
  assert.deepEqual(unmaskedDetails(renamed, before), { ...before, holder: 'Ada King' });
  assert.deepEqual(unmaskedDetails(before, undefined), before);
});

it('unmaskedDetails: a masked account without a matching stored account is refused', () => {
  const shown = { method: 'bank', holder: 'Ada', account: '••••3000' } as const;
  assert.equal(unmaskedDetails(shown, undefined), undefined);
  assert.equal(unmaskedDetails(shown, { ...shown, account: 'DE02 1203 0000 0000 2020 51' }), undefined);
});
