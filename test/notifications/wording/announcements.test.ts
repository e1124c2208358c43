import assert from 'node:assert/strict';
import { it } from 'node:test';
import { announcementEmail, announcementTestEmail } from '#notifications/wording/announcements.ts';

const ADA = { name: 'Ada\nLovelace', portal: 'Mugs', url: 'https://whence.example/portal/mugs/' };
const NEWS = { subject: 'New\nmugs', text: '  First line.\n\nSecond line.\n' };

it('an announcement has its text between a greeting and the link to the portal', () => {
  const { subject, text } = announcementEmail(ADA, NEWS);
  assert.equal(subject, 'New mugs');
  assert.match(
    text,
    /^Hello Ada Lovelace,\n\nFirst line\.\n\nSecond line\.\n\nhttps:\/\/whence\.example\/portal\/mugs\/$/m,
  );
});

it('announcementTestEmail: differs from the announcement’s email only in the subject', () => {
  const [real, test] = [announcementEmail(ADA, NEWS), announcementTestEmail(ADA, NEWS)];
  assert.deepEqual(test, { ...real, subject: 'Test: New mugs' });
});
