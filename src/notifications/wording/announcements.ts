import { type EmailText, oneLine, partnerEmail } from '#platform/email/email.ts';
import type { Addressed } from './partner-emails.ts';

type Written = { readonly subject: string; readonly text: string };

/** Returns an announcement as an email to a partner. */
export function announcementEmail(of: Addressed, { subject, text }: Written): EmailText {
  return partnerEmail(
    oneLine(subject),
    `Hello ${oneLine(of.name)},`,
    { written: text.trim() },
    { link: of.url, label: 'Open the partner portal' },
  );
}

/** Returns an announcement as a test email to the person who writes it. */
export function announcementTestEmail(of: Addressed, { subject, text }: Written): EmailText {
  return announcementEmail(of, { subject: `Test: ${subject}`, text });
}
