import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_COUNTED, WAITING_KINDS, type WaitingCounts } from '#notifications/domain/digest.ts';
import { confirmAddressEmail, digestEmail } from '#notifications/wording/digests.ts';

const NOTHING = Object.fromEntries(WAITING_KINDS.map((kind) => [kind, 0])) as WaitingCounts;
const ADA = { name: 'Ada\nLovelace', organization: 'Ada’s Mugs', url: 'https://whence.example' };
const digestWith = (counts: Partial<WaitingCounts>, frequency: 'daily' | 'weekly' = 'weekly') =>
  digestEmail({ ...ADA, frequency, counts: { ...NOTHING, ...counts } });

describe('the digest', () => {
  it('is not written if nothing needs attention', () => {
    assert.equal(digestWith({}), undefined);
  });

  it('lists each kind that has items, with their number and a link', () => {
    const mail = digestWith({ applications: 1, 'payout-requests': 2, events: MAX_COUNTED });
    assert.equal(mail?.subject, 'Ada’s Mugs: 1 application to review, and more');
    assert.equal(
      mail.text,
      `Hello Ada Lovelace,

These items wait for your team at Ada’s Mugs:

1 application to review:
https://whence.example/console/collaborators?tab=waiting

2 payout requests:
https://whence.example/console/payouts?tab=requests

1,000 or more events that could not be decided:
https://whence.example/console/live?state=parked

You get this email every Monday if something waits.

https://whence.example/console/
`,
    );
  });

  it('states its frequency, and has no “and more” in the subject if there is only one kind of items', () => {
    const mail = digestWith({ webhooks: 3 }, 'daily');
    assert.equal(mail?.subject, 'Ada’s Mugs: 3 failing webhooks');
    assert.match(mail.text, /^You get this email every day if something waits\./m);
  });
});

it('confirmAddressEmail: names the organization, and contains the confirmation link', () => {
  const { text } = confirmAddressEmail({ ...ADA, url: 'https://whence.example/confirm-address/x' });
  assert.match(text, /confirm that your account at Ada’s Mugs has this address\./);
  assert.match(text, /^https:\/\/whence\.example\/confirm-address\/x$/m);
});
