import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  invitationMail,
  oneLine,
  passkeyAddedMail,
  passwordChangedMail,
  resetMail,
  secondFactorAddedMail,
  secondFactorRemovedMail,
} from '#domain/mail.ts';
import { ROLES } from '#domain/person.ts';

const URL = 'https://whence.example.com/console/invitation#token';

describe('a mail', () => {
  it('of an invitation says who invites, to what, and where to go', () => {
    assert.deepEqual(
      invitationMail({ organization: 'Ada’s Mugs', invitedBy: 'Ada', role: 'manager', url: URL, days: 7 }),
      {
        subject: 'Your invitation to Ada’s Mugs on Whence',
        text: [
          'Hello,',
          'Ada has invited you to work with Ada’s Mugs on Whence, as a manager. Follow this link to choose a password:',
          URL,
          'It is good for 7 days, and once. If you did not expect it, leave it be: nothing happens.\n',
        ].join('\n\n'),
      },
    );
    for (const role of ROLES) {
      const { text } = invitationMail({ organization: 'Mugs', invitedBy: null, role, url: URL, days: 7 });
      assert.match(text, new RegExp(`^You are invited to work with Mugs on Whence, as an? ${role}\\.`, 'm'));
    }
  });

  it('of what lets somebody in has its link on a line of its own', () => {
    const { text } = resetMail({ name: 'Ada', url: URL, minutes: 60 });
    assert.ok(text.split('\n').includes(URL));
    assert.match(text, /good for 60 minutes/);
  });

  it('of what was changed says so, and what to do if it was somebody else', () => {
    for (const { subject, text } of [
      passwordChangedMail({ name: 'Ada' }),
      secondFactorAddedMail({ name: 'Ada' }),
      secondFactorRemovedMail({ name: 'Ada' }),
      passkeyAddedMail({ name: 'Ada', passkey: 'Phone' }),
    ]) {
      assert.match(subject, /for Whence was (changed|removed|added)$/);
      assert.match(text, /^Hello Ada,\n\n[^]*\n\nIf it was not you/);
    }
  });

  it('has names of people in one line, so that they make none of their own', () => {
    assert.equal(oneLine(' Ada\r\nBcc: all@x.example\u2028\u202e '), 'Ada Bcc: all@x.example');
    const { subject } = invitationMail({
      organization: 'A\nB',
      invitedBy: 'C\r\nD',
      role: 'viewer',
      url: URL,
      days: 7,
    });
    assert.equal(subject, 'Your invitation to A B on Whence');
  });
});
