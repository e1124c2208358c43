import assert from 'node:assert/strict';
import { it } from 'node:test';
import { closedAccountMail, entryMail, payoutDetailsChangedMail, signUpMail } from '#domain/mail.ts';

const ENTRY = { url: 'https://whence.example/portal/mugs/enter#token', code: 'K7Q-M2X', minutes: 15 };

it('a mail that lets somebody in has link and code, and says how long they are good', () => {
  for (const { text } of [
    entryMail({ portal: 'Mugs', name: 'Ada', ...ENTRY }),
    signUpMail({ portal: 'Mugs', name: 'Ada', program: 'Friends', ...ENTRY }),
  ]) {
    assert.match(text, /^Hello Ada,\n\n/);
    assert.match(text, /\n\nhttps:\/\/whence\.example\/portal\/mugs\/enter#token\n\n/);
    assert.match(text, /K7Q-M2X\n\nBoth are good for 15 minutes, and once\./);
  }
});

it('a name makes no line of its own', () => {
  const { subject, text } = signUpMail({ portal: 'Mugs\r\nBcc: x', name: 'A\nB', program: 'P\u2028Q', ...ENTRY });
  assert.equal(subject, 'Confirm your sign-up at Mugs Bcc: x');
  assert.match(text, /Hello A B,\n\nyou have signed up for “P Q” at Mugs Bcc: x\./);
});

it('what is told leads to the merchant, by an address where there is one', () => {
  assert.match(
    closedAccountMail({ portal: 'Mugs', supportEmail: 'help@shop.example' }).text,
    /Write to help@shop\.example/,
  );
  assert.match(closedAccountMail({ portal: 'Mugs', supportEmail: null }).text, /Ask them/);
  const changed = { portal: 'Mugs', name: 'Ada' };
  assert.match(payoutDetailsChangedMail({ ...changed, supportEmail: null }).text, /tell Mugs at once/);
  assert.match(
    payoutDetailsChangedMail({ ...changed, supportEmail: 'help@shop.example' }).text,
    /tell Mugs at help@shop/,
  );
});
