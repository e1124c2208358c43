import type { AnnouncementId, ProgramId } from '#core/ids.ts';

export const MAX_SUBJECT = 150;
export const MAX_ANNOUNCEMENT = 10_000;

/**
 * The maximum number of recipients of an announcement. It is limited because the notices for all recipients are written
 * in one transaction.
 */
export const MAX_RECIPIENTS = 50_000;

/**
 * The partners to whom an announcement is addressed: active partners with an email address who haven't unsubscribed
 * from announcements. If a program is given, they must be able to earn in it. If a tag is given, they must have it.
 */
export type Audience = { readonly programId: ProgramId | null; readonly tag: string | null };

export type NewAnnouncement = Audience & { readonly subject: string; readonly text: string; readonly author: string };

export type Announcement = NewAnnouncement & {
  readonly id: AnnouncementId;
  readonly recipients: number;
  readonly createdAt: Date;
};
