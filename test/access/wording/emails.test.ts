import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { oneLine } from '#platform/email/email.ts';
import {
  addressChangedEmail,
  codeMovedEmail,
  payoutDetailsMissingEmail,
  taxDetailsChangedEmail,
} from '#collaborators/wording/emails.ts';
import {
  invitationEmail,
  passkeyAddedEmail,
  passwordChangedEmail,
  resetEmail,
  secondFactorAddedEmail,
  secondFactorRemovedEmail,
} from '#access/wording/emails.ts';
import { ROLES } from '#core/caller.ts';

const URL = 'https://whence.example.com/console/invitation#token';

const expiresAt = new Date('2026-12-04T10:05:30Z');

describe('email text', () => {
  it('names the inviting person, the role and the link in an invitation', () => {
    const invited = { organization: 'Ada’s Mugs', invitedBy: 'Ada', role: 'manager', url: URL, expiresAt } as const;
    const { subject, brand, parts, text: written } = invitationEmail(invited);
    assert.deepEqual([subject, brand], ['Your invitation to Ada’s Mugs on Whence', 'whence']);
    assert.deepEqual(parts, [
      'Hello,',
      'Ada has invited you to work with Ada’s Mugs on Whence, as a manager. Follow this link to choose a password:',
      { link: URL, label: 'Choose a password' },
      'The link works once, until 4 December 2026 at 10:05 UTC. If you did not expect this email, ignore it. Nothing will happen.',
    ]);
    assert.match(written, /as a manager\. Follow this link to choose a password:\n\nhttps:\S+#token\n\nThe link/);
    for (const role of ROLES) {
      const { text } = invitationEmail({ organization: 'Mugs', invitedBy: null, role, url: URL, expiresAt });
      assert.match(text, new RegExp(`^You are invited to work with Mugs on Whence, as an? ${role}\\.`, 'm'));
    }
  });

  it('says what changes for a moved referral code, and whom to contact', () => {
    const moved = { sender: 'Mugs', name: 'Ada', code: 'ada' };
    const { subject, text } = codeMovedEmail({ ...moved, supportEmail: 'help@mugs.example' });
    assert.equal(subject, 'Mugs has moved your code ada');
    assert.match(text, /no longer count for you\.\n\nYou keep everything that you have earned with it\./);
    assert.match(text, /contact Mugs at help@mugs\.example\./);
    assert.match(codeMovedEmail({ ...moved, supportEmail: null }).text, /contact Mugs\./);
  });

  it('says that tax details were changed, and whom to contact', () => {
    const changed = { sender: 'Mugs', name: 'Ada' };
    const { subject, text } = taxDetailsChangedEmail({ ...changed, supportEmail: 'help@mugs.example' });
    assert.equal(subject, 'Your tax details at Mugs were changed');
    assert.match(text, /^Hello Ada,\n\nYour tax details at Mugs were just changed/);
    assert.match(text, /contact Mugs at help@mugs\.example at once\./);
    assert.match(taxDetailsChangedEmail({ ...changed, supportEmail: null }).text, /contact Mugs at once\./);
  });

  it('names the first character and the domain of a new email address, or says that the address was removed', () => {
    const changed = { sender: 'Mugs', name: 'Ada', to: 'bo@new.example' };
    const { subject, text } = addressChangedEmail({ ...changed, supportEmail: 'help@mugs.example' });
    assert.equal(subject, 'Your email address at Mugs was changed');
    assert.match(text, /^Hello Ada,\n\nYour email address at Mugs was changed to b…@new\.example\./);
    assert.doesNotMatch(text, /bo@/);
    assert.match(text, /contact Mugs at help@mugs\.example at once\./);
    const removed = addressChangedEmail({ ...changed, to: null, supportEmail: null }).text;
    assert.match(removed, /at Mugs was removed\.[^]*contact Mugs at once\./);
  });

  it('asks a partner for payout details with a link to the portal, and warns against account numbers in emails', () => {
    const { subject, text } = payoutDetailsMissingEmail({ portal: 'Mugs', name: 'Ada', url: URL });
    assert.equal(subject, 'Mugs needs your payout details');
    assert.match(text, /^Hello Ada,\n\nMugs wants to pay you/);
    assert.ok(text.includes(URL));
    assert.match(text, /Never send account numbers by email\. Mugs doesn’t ask for them in emails\./);
  });

  it('puts the link of a password reset email on its own line', () => {
    const { text } = resetEmail({ name: 'Ada', organization: 'Mugs', url: URL, minutes: 60 });
    assert.match(text, /your account at Mugs/);
    assert.ok(text.split('\n').includes(URL));
    assert.match(text, /works once, within 60 minutes/);
  });

  it('says in a security email what changed, and what to do if someone else made the change', () => {
    for (const { subject, text } of [
      passwordChangedEmail({ name: 'Ada', organization: 'Mugs' }),
      secondFactorAddedEmail({ name: 'Ada', organization: 'Mugs' }),
      secondFactorRemovedEmail({ name: 'Ada', organization: 'Mugs' }),
      passkeyAddedEmail({ name: 'Ada', passkey: 'Phone' }),
    ]) {
      assert.match(subject, /for Whence was (changed|removed|added)$/);
      assert.match(text, /^Hello Ada,\n\n[^]*\n\nIf (it was not you|you did not add it)/);
    }
  });

  it('replaces line breaks in names, so that a name cannot add header lines', () => {
    assert.equal(oneLine(' Ada\r\nBcc: all@x.example\u2028\u202e '), 'Ada Bcc: all@x.example');
    const { subject } = invitationEmail({
      organization: 'A\nB',
      invitedBy: 'C\r\nD',
      role: 'viewer',
      url: URL,
      expiresAt,
    });
    assert.equal(subject, 'Your invitation to A B on Whence');
  });
});
