import assert from 'node:assert/strict';
import { it } from 'node:test';
import { closedAccountEmail, entryEmail, payoutDetailsChangedEmail, signUpEmail } from '#portal/wording/emails.ts';
import { approvedEmail, collaboratorInvitationEmail } from '#collaborators/wording/emails.ts';

const ENTRY = { url: 'https://whence.example/portal/mugs/enter#token', code: 'K7Q-M2X', minutes: 15 };

it('login and sign-up emails have the link, the code and the time for which both are valid', () => {
  for (const { text } of [
    entryEmail({ portal: 'Mugs', name: 'Ada', ...ENTRY }),
    signUpEmail({ portal: 'Mugs', program: 'Friends', hasAgreement: false, ...ENTRY }),
  ]) {
    assert.match(text, /^Hello( Ada)?,\n\n/);
    assert.match(text, /\n\nhttps:\/\/whence\.example\/portal\/mugs\/enter#token\n\n/);
    assert.match(text, /K7Q-M2X\n\nUse one of them within 15 minutes\. After that, both stop working\./);
  }
});

it('a portal email replaces line breaks in names', () => {
  const { text: entering } = entryEmail({ portal: 'Mugs', name: 'A\nB', ...ENTRY });
  assert.match(entering, /^Hello A B,\n\nFollow /);
  const { subject, text } = signUpEmail({
    portal: 'Mugs\r\nBcc: x',
    program: 'P\u2028Q',
    hasAgreement: true,
    ...ENTRY,
  });
  assert.equal(subject, 'Confirm your sign-up at Mugs Bcc: x');
  assert.match(text, /^Hello,\n\nSomeone, probably you, signed up for “P Q” at Mugs Bcc: x\./);
  assert.match(text, /You also confirm that you accept the partner agreement\.\n/);
});

it('an email about a closed account or new payout details names the merchant, and its support address if it has one', () => {
  assert.match(
    closedAccountEmail({ portal: 'Mugs', supportEmail: 'help@shop.example' }).text,
    /Write to help@shop\.example/,
  );
  assert.match(closedAccountEmail({ portal: 'Mugs', supportEmail: null }).text, /Contact Mugs if you think/);
  const changed = { sender: 'Mugs', name: 'Ada' };
  assert.match(payoutDetailsChangedEmail({ ...changed, supportEmail: null }).text, /contact Mugs at once/);
  assert.match(
    payoutDetailsChangedEmail({ ...changed, supportEmail: 'help@shop.example' }).text,
    /contact Mugs at help@shop/,
  );
});

it('an approval email links to the portal without a login token', () => {
  const url = 'https://whence.example/portal/mugs/';
  const { subject, text } = approvedEmail({ portal: 'Mugs', name: 'Ada', url });
  assert.equal(subject, 'Welcome to Mugs');
  assert.match(text, /^Hello Ada,\n\nYou are now a partner of Mugs\./);
  assert.match(text, /\n\nhttps:\/\/whence\.example\/portal\/mugs\/\n\nTo get paid, add your payout details there/);
});

it('an invitation to the portal names the inviter, the link and how long it is valid', () => {
  const url = 'https://whence.example/portal/mugs/';
  const of = { portal: 'Mugs', name: 'Ada', url };
  const { subject, text } = collaboratorInvitationEmail({ ...of, invitedBy: 'Grace\nHopper' });
  assert.equal(subject, 'Your invitation to Mugs');
  assert.match(text, /^Hello Ada,\n\nGrace Hopper of Mugs added you as a partner\./);
  assert.match(text, /\n\nhttps:\/\/whence\.example\/portal\/mugs\/\n\n/);
  assert.match(text, /The link works for as long as you are a partner\./);
  assert.match(collaboratorInvitationEmail({ ...of, invitedBy: null }).text, /^Mugs added you as a partner\./m);
});
